import { callLabel } from '../../core/session/index.js'
import type { CallRow, TurnState } from './transcript-state.js'

/** How a note came into a turn: what found it, in the words of that step; undefined where nobody knows. */
export function whyFound({ asked, parts }: Pick<TurnState, 'asked' | 'parts'>, path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  if (asked.toLowerCase().includes(name.toLowerCase())) return 'you named it'
  const calls = parts.flatMap((part) => (part.kind === 'work' ? part.entries : []))
  const found = calls.find((entry): entry is CallRow => entry.kind === 'call' && holds(entry, path))
  return found && `found by: ${callLabel(found)}`
}

function holds({ result }: CallRow, path: string): boolean {
  return result?.ok === true && result.text.includes(path)
}
