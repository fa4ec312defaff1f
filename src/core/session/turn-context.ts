import type { FileReference, FileSource } from '../agent/index.js'
import { Failure } from '../errors.js'
import { type AttachedFile, readAttachedFiles } from '../files.js'
import { type MemoryEntry, newestMemories, parseMemories } from '../memory.js'
import { fillPrompt, type PromptFile, readPrompts } from '../skills.js'
import type { Guard, ToolContext, ToolSetup } from '../tools/index.js'
import { folderOf, hashBytes, type NotePath, notePath } from '../vault/index.js'
import { reportOnce, type SessionInternals } from './session-internals.js'

/** Instructions found in the vault; the label names their location. */
export interface VaultInstruction {
  label: string
  text: string
}

/** Maximum total bytes, and the limit for a window of that many tokens. */
const mostEver = 32 * 1024
const bytesOf = (window: number): number => Math.floor((window / 20) * 3)
const roomFor = (window = Number.POSITIVE_INFINITY): number => Math.min(mostEver, bytesOf(window))

/** File names; the second is read if the first does not exist. */
const names = ['AGENTS.md', 'CLAUDE.md']

interface Reading {
  guard: Guard
  context: ToolContext
}

/**
 * Instructions of the vault's own `AGENTS.md`, which have low trust. The file is read like any note, so that a hidden
 * one stays hidden; its text counts as read in this conversation.
 */
export async function vaultInstructions(
  { guard, context }: Reading,
  onTrouble: (text: string) => void,
  window?: number,
): Promise<VaultInstruction[]> {
  const instruction = await instructionOf('', { guard, context }, onTrouble)
  return instruction === undefined ? [] : cut([instruction], roomFor(window), onTrouble)
}

/**
 * Instructions of the folders that contain the given notes, nearest first, without those already given in this
 * conversation. They are sent with the request, so that the system prompt does not depend on the open note.
 */
export async function nearInstructions(
  notes: readonly NotePath[],
  givenInstructions: Set<string>,
  { guard, context }: Reading,
  onTrouble: (text: string) => void,
  room: { window?: number | undefined; used: number },
): Promise<VaultInstruction[]> {
  const folders = [...new Set(notes.flatMap(foldersAbove))].sort((a, b) => b.split('/').length - a.split('/').length)
  const instructions: VaultInstruction[] = []
  for (const folder of folders) {
    const instruction = await instructionOf(folder, { guard, context }, onTrouble)
    const mark = instruction && JSON.stringify(instruction)
    if (instruction === undefined || mark === undefined || givenInstructions.has(mark)) continue
    givenInstructions.add(mark)
    instructions.push(instruction)
  }
  return cut(instructions, roomFor(room.window) - room.used, onTrouble)
}

function foldersAbove(note: NotePath): string[] {
  const folders: string[] = []
  for (let folder = folderOf(note); folder !== ''; folder = folderOf(folder)) folders.push(folder)
  return folders
}

async function instructionOf(
  folder: string,
  { guard, context }: Reading,
  onTrouble: (text: string) => void,
): Promise<VaultInstruction | undefined> {
  const { vault } = guard.filterVisible(context)
  for (const name of names) {
    const path = notePath(folder === '' ? name : `${folder}/${name}`)
    try {
      const found = await vault.read(path)
      if (found === undefined || found.text.trim() === '') continue
      guard.observe(['own-note'], [found.path])
      return { label: found.path, text: found.text }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      onTrouble(`${path} was ignored: ${error.message}`)
    }
  }
  return undefined
}

/** Each as far as there is room, the first before the others. */
function cut(
  instructions: readonly VaultInstruction[],
  mostBytes: number,
  onTrouble: (text: string) => void,
): VaultInstruction[] {
  let left = Math.max(0, mostBytes)
  return instructions.flatMap(({ label, text }) => {
    const bytes = new TextEncoder().encode(text)
    const room = left
    left = Math.max(0, left - bytes.length)
    if (bytes.length <= room) return [{ label, text }]
    const limit = `${Math.round((room / 1024) * 10) / 10} KB`
    onTrouble(
      room === 0
        ? `${label} was ignored: the context window has no space left for it.`
        : `${label} is longer than ${limit}, so only its beginning is used.`,
    )
    if (room === 0) return []
    // A character that the cut goes through is left out.
    const start = new TextDecoder().decode(bytes.subarray(0, room), { stream: true })
    return [{ label, text: `${start}\n[the rest, ${bytes.length - room} bytes, was omitted]` }]
  })
}

const mostTokens = 1500

/**
 * The memory text for the prompt: the newest entries that fit, newest first. A conversation keeps the entries it started
 * with, so that its prompts can be cached; entries added meanwhile are in the conversation anyway. Entries that were
 * removed from the note or are hidden now are left out from the next turn on.
 */
export async function rememberedText(
  internals: Pick<SessionInternals, 'remembered' | 'vault'>,
  { guard, context }: Pick<ToolSetup, 'guard' | 'context'>,
  window = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const path = notePath(internals.vault.settings.memory.note)
  const standing = await memories()
  const texts = new Set(standing.map(({ text }) => text))
  if (!internals.remembered?.every((text) => texts.has(text))) {
    internals.remembered = newestMemories(standing, Math.min(mostTokens, window / 20)).map(({ text }) => text)
  }
  if (internals.remembered.length === 0) return undefined
  guard.observe(['own-note'], [path])
  return internals.remembered.map((text) => `- ${text}`).join('\n')

  /** An unreadable memory note counts as no memories; the tool reports the reason. */
  async function memories(): Promise<MemoryEntry[]> {
    try {
      const note = await guard.filterVisible(context).vault.read(path)
      return note === undefined ? [] : parseMemories(note.text)
    } catch (error) {
      if (error instanceof Failure) return []
      throw error
    }
  }
}

interface ChosenPrompt {
  /** The part that counts as typed by the user. */
  text: string
  /** A prompt of the vault: it goes with them as a text of low trust. */
  prompt?: { name: string; text: string }
}

export async function promptsOf(
  internals: Pick<SessionInternals, 'host' | 'reported' | 'options'>,
): Promise<PromptFile[]> {
  return readPrompts(internals.host.guides?.folders ?? [], (text) => reportOnce(internals, text))
}

/**
 * Fills in the prompt for `/name words`. The user's own prompt counts as typed; one of the vault does not: its `@`
 * commands are ignored, and its words may not be sent as the user's.
 */
export async function chosenPrompt(internals: SessionInternals, typed: string): Promise<ChosenPrompt> {
  const [, name, words] = /^\/([\p{L}\p{N}][\p{L}\p{N}_-]*)(?:\s+([\s\S]*))?$/u.exec(typed.trim()) ?? []
  if (name === undefined) return { text: typed }
  const prompt = (await promptsOf(internals)).find((each) => each.name === name.toLowerCase())
  if (prompt === undefined) return { text: typed }
  const filled = fillPrompt(prompt, words ?? '')
  if (prompt.from === 'person') return { text: filled }
  internals.guard.observe(['clipped'])
  return { text: typed, prompt: { name: prompt.name, text: filled } }
}

/** Files as a turn takes them along; the bytes of pictures and PDFs are kept with the session. */
export async function takeFiles(
  { files, record }: Pick<SessionInternals, 'files' | 'record'>,
  handed: readonly AttachedFile[],
): Promise<{ texts: { name: string; text: string }[]; files: FileReference[] }> {
  const { texts, seen } = readAttachedFiles(handed)
  for (const { name, facts, bytes } of seen) {
    files.set(facts.hash, { name, bytes })
    await record?.keepFile(facts.hash, bytes)
  }
  return { texts, files: seen.map(({ name, facts }) => ({ ...facts, from: 'given', name })) }
}

/** The files of a session: notes it may see now, and attachments stored with it. */
export function fileSource(
  { id, files, reported, host, guard }: Pick<SessionInternals, 'id' | 'files' | 'reported' | 'host' | 'guard'>,
  { context }: Pick<ToolSetup, 'context'>,
): FileSource {
  return {
    reported: reported,
    async bytes({ from, name, hash }) {
      if (from === 'given') {
        const bytes = files.get(hash)?.bytes ?? (await host.sessions.file(id, hash))
        if (bytes === undefined || hashBytes(bytes) !== hash) return undefined
        files.set(hash, { name, bytes })
        return bytes
      }
      // A file that cannot be read any more counts as missing.
      const file = await guard
        .filterVisible(context)
        .vault.read(notePath(name))
        .catch(() => undefined)
      return file?.hash === hash ? file.bytes : undefined
    },
  }
}
