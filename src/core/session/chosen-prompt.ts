import { fillPrompt, type PromptFile, readPrompts } from '../guides/index.js'
import type { SessionParts } from './session-parts.js'
import { tellOnce } from './session-parts.js'

export interface ChosenPrompt {
  /** What counts as the person's own words. */
  text: string
  /** A prompt of the vault: it goes with them as a text of low trust. */
  prompt?: { name: string; text: string }
}

export async function promptsOf(parts: Pick<SessionParts, 'host' | 'told' | 'options'>): Promise<PromptFile[]> {
  return readPrompts(parts.host.guides?.folders ?? [], (text) => tellOnce(parts, text))
}

/**
 * `/name words` with the prompt of that name filled in. One of the person's own is as if they had typed it; one of the vault
 * is not: what it names with `@` is not done, and none of its words may leave as theirs.
 */
export async function chosenPrompt(parts: SessionParts, typed: string): Promise<ChosenPrompt> {
  const [, name, words] = /^\/([\p{L}\p{N}][\p{L}\p{N}_-]*)(?:\s+([\s\S]*))?$/u.exec(typed.trim()) ?? []
  if (name === undefined) return { text: typed }
  const prompt = (await promptsOf(parts)).find((each) => each.name === name.toLowerCase())
  if (prompt === undefined) return { text: typed }
  const filled = fillPrompt(prompt, words ?? '')
  if (prompt.from === 'person') return { text: filled }
  parts.guard.observe(['clipped'])
  return { text: typed, prompt: { name: prompt.name, text: filled } }
}
