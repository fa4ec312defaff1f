import { forPeople } from '../../text/index.js'
import type { Result } from '../prompt/index.js'
import type { OfflineWords } from './offline-words.js'

/** What a writing tool did, and how to take it back. */
export function done({ text }: Result, { undo }: OfflineWords): string {
  const said = text.trim().replace(/\s*It can be brought back with undo\.$/, '')
  if (
    /^(?:Nothing to change|Would do|The daily note exists|Already remembered)|already has exactly this content/.test(
      said,
    )
  )
    return said
  const end = /[.!?]$/.test(said) || said.includes('\n') ? '' : '.'
  return `${said}${end}${said.includes('\n') ? '\n\n' : ' '}To take it back: ${undo}.`
}

/** A no of the person, a rule, or something in the way. */
export const notDone = ({ text }: Result): string => `That was not done. ${forPeople(text)}`

/** Only the first of two steps was possible. */
export const notReached = ({ agentMode }: OfflineWords): string =>
  `That was not done: it takes two steps, and this mode makes one. Ask again in agent mode (${agentMode}).`
