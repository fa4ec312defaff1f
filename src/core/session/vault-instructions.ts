import { Failure } from '../errors.js'
import type { Guard, ToolContext } from '../tools/index.js'
import { folderOf, type NotePath, notePath } from '../vault/index.js'

/** A text of the vault that asks for something; its label says where it stands. */
export interface VaultWish {
  label: string
  text: string
}

/** Bytes of them that are read in all, and how many where the model has so many tokens. */
const mostEver = 32 * 1024
const bytesOf = (window: number): number => Math.floor((window / 20) * 3)
const roomFor = (window = Number.POSITIVE_INFINITY): number => Math.min(mostEver, bytesOf(window))

/** What the files are called; the second counts where the first is not there. */
const names = ['AGENTS.md', 'CLAUDE.md']

interface Reading {
  guard: Guard
  context: ToolContext
}

/**
 * What the vault's own `AGENTS.md` asks for: wishes of low trust. Read like any note, so that a hidden one stays
 * hidden; what it says is from then on part of the conversation.
 */
export async function vaultInstructions(
  { guard, context }: Reading,
  onTrouble: (text: string) => void,
  window?: number,
): Promise<VaultWish[]> {
  const wish = await wishIn('', { guard, context }, onTrouble)
  return wish === undefined ? [] : cut([wish], roomFor(window), onTrouble)
}

/**
 * Those of the folders that the notes at hand lie in, the nearest first; what was given before in the conversation is
 * left out. They go with the request, so that prompts begin alike whatever note is open.
 */
export async function nearInstructions(
  notes: readonly NotePath[],
  given: Set<string>,
  { guard, context }: Reading,
  onTrouble: (text: string) => void,
  room: { window?: number; used: number },
): Promise<VaultWish[]> {
  const folders = [...new Set(notes.flatMap(foldersAbove))].sort((a, b) => b.split('/').length - a.split('/').length)
  const wishes: VaultWish[] = []
  for (const folder of folders) {
    const wish = await wishIn(folder, { guard, context }, onTrouble)
    const mark = wish && JSON.stringify(wish)
    if (wish === undefined || mark === undefined || given.has(mark)) continue
    given.add(mark)
    wishes.push(wish)
  }
  return cut(wishes, roomFor(room.window) - room.used, onTrouble)
}

function foldersAbove(note: NotePath): string[] {
  const folders: string[] = []
  for (let folder = folderOf(note); folder !== ''; folder = folderOf(folder)) folders.push(folder)
  return folders
}

async function wishIn(
  folder: string,
  { guard, context }: Reading,
  onTrouble: (text: string) => void,
): Promise<VaultWish | undefined> {
  const { vault } = guard.screen(context)
  for (const name of names) {
    const path = notePath(folder === '' ? name : `${folder}/${name}`)
    try {
      const found = await vault.read(path)
      if (found === undefined || found.text.trim() === '') continue
      guard.observe(['own-note'], [found.path])
      return { label: found.path, text: found.text }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      onTrouble(`${path} is not followed: ${error.message}`)
    }
  }
  return undefined
}

/** Each as far as there is room, the first before the others. */
function cut(wishes: readonly VaultWish[], mostBytes: number, onTrouble: (text: string) => void): VaultWish[] {
  let left = Math.max(0, mostBytes)
  return wishes.flatMap(({ label, text }) => {
    const bytes = new TextEncoder().encode(text)
    const room = left
    left = Math.max(0, left - bytes.length)
    if (bytes.length <= room) return [{ label, text }]
    const limit = `${Math.round((room / 1024) * 10) / 10} KB`
    onTrouble(
      room === 0
        ? `${label} is not followed: there is no room left.`
        : `${label} is longer than ${limit}; only its beginning is followed.`,
    )
    if (room === 0) return []
    // A character that the cut goes through is left out.
    const start = new TextDecoder().decode(bytes.subarray(0, room), { stream: true })
    return [{ label, text: `${start}\n[the rest, ${bytes.length - room} bytes, was left out]` }]
  })
}
