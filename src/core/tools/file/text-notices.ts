import type { Notice } from '../tool.js'
import { executableNotices } from './executable-blocks.js'

/** What a person must know about text that a change brings into a note. */
export function textNotices(path: string, before: string, after: string): Notice[] {
  return [...executableNotices(path, before, after), ...directionNotices(path, before, after)]
}

const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** Characters that turn the text direction can make a diff look like another one. */
function directionNotices(path: string, before: string, after: string): Notice[] {
  const added = count(after) - count(before)
  if (added <= 0) return []
  const text = `Adds ${added} invisible character${added === 1 ? '' : 's'} to ${path} that turn the direction of text.`
  return [{ kind: 'other', text }]
}

function count(text: string): number {
  return text.match(turning)?.length ?? 0
}
