import type { AgentEvent } from '../../agent/index.js'

/** What a search looks at: what was asked and what was answered. */
export function searchedText(event: AgentEvent): string | undefined {
  return event.type === 'run-start' || event.type === 'run-end' ? event.text : undefined
}

/** Case and accents that are written in two ways do not matter. */
export const foldWords = (text: string): string => text.normalize('NFC').toLowerCase()

const around = 60

/** The words with what stands around them, on one line. */
export function passageWith(text: string, folded: string): string {
  const at = Math.max(0, foldWords(text).indexOf(folded))
  const from = Math.max(0, at - around)
  const to = at + folded.length + around
  const part = text.slice(from, to).replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`
}
