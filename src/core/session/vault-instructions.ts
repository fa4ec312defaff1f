import { Failure } from '../errors.js'
import type { Guard, ToolContext } from '../tools/index.js'
import { notePath } from '../vault/index.js'

/** Bytes of it that are read, and how many where the model has so many tokens in all. */
const mostEver = 32 * 1024
const bytesOf = (window: number): number => Math.floor((window / 20) * 3)
const file = 'AGENTS.md'

/** A text of the vault that asks for something; its label says where it stands. */
export interface VaultWish {
  label: string
  text: string
}

/**
 * What the vault's own `AGENTS.md` asks for: wishes of low trust. Read like any note, so that a hidden one stays
 * hidden; what it says is from then on part of the conversation.
 */
export async function vaultInstructions(
  { guard, context }: { guard: Guard; context: ToolContext },
  onTrouble: (text: string) => void,
  window = Number.POSITIVE_INFINITY,
): Promise<VaultWish[]> {
  const mostBytes = Math.min(mostEver, bytesOf(window))
  const found = await read(guard.screen(context), onTrouble)
  if (found === undefined || found.trim() === '') return []
  guard.observe(['own-note'], [notePath(file)])
  const bytes = new TextEncoder().encode(found)
  if (bytes.length <= mostBytes) return [{ label: file, text: found }]
  onTrouble(`${file} is longer than ${Math.round((mostBytes / 1024) * 10) / 10} KB; only its beginning is followed.`)
  // A character that the cut goes through is left out.
  const start = new TextDecoder().decode(bytes.subarray(0, mostBytes), { stream: true })
  return [{ label: file, text: `${start}\n[the rest, ${bytes.length - mostBytes} bytes, was left out]` }]
}

async function read({ vault }: ToolContext, onTrouble: (text: string) => void): Promise<string | undefined> {
  try {
    return (await vault.read(notePath(file)))?.text
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    onTrouble(`${file} is not followed: ${error.message}`)
    return undefined
  }
}
