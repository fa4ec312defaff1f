import { Failure } from '../errors.js'
import { newestWithin, type Remembered, rememberedIn } from '../memory/index.js'
import type { ToolSetup } from '../tools/index.js'
import { notePath } from '../vault/index.js'
import type { SessionParts } from './session-parts.js'

const mostTokens = 1500

/**
 * What is remembered, for the prompt: the newest that fit, newest first. A conversation keeps what it began with, so that
 * its prompts begin alike; what is remembered in its course stands in it anyway. What no longer stands in the note, or is
 * hidden now, is gone from the next turn on.
 */
export async function rememberedText(
  parts: Pick<SessionParts, 'remembered' | 'vault'>,
  { guard, context }: Pick<ToolSetup, 'guard' | 'context'>,
  window = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const path = notePath(parts.vault.settings.memory.note)
  const standing = await memories()
  const texts = new Set(standing.map(({ text }) => text))
  if (!parts.remembered?.every((text) => texts.has(text))) {
    parts.remembered = newestWithin(standing, Math.min(mostTokens, window / 20)).map(({ text }) => text)
  }
  if (parts.remembered.length === 0) return undefined
  guard.observe(['own-note'], [path])
  return parts.remembered.map((text) => `- ${text}`).join('\n')

  /** A note that cannot be read is as none; whoever asks for it by a tool hears why. */
  async function memories(): Promise<Remembered[]> {
    try {
      const note = await guard.screen(context).vault.read(path)
      return note === undefined ? [] : rememberedIn(note.text)
    } catch (error) {
      if (error instanceof Failure) return []
      throw error
    }
  }
}
