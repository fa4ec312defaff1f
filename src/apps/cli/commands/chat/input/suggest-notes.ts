import { matchNotes } from '../../../../../core/session/index.js'
import type { NotePath } from '../../../../../core/vault/index.js'
import type { Buffer } from './edit-buffer.js'
import type { Suggestions } from './read-prompt.js'

/** Notes for what stands behind an `@` before the cursor. */
export function suggestNotes({ text, cursor }: Buffer, paths: readonly NotePath[]): Suggestions | undefined {
  const before = text.slice(0, cursor)
  const found = /(?:^|[\s(])@(?:\[\[)?([^@[\]\n]*)$/.exec(before)
  if (found === null) return undefined
  const start = cursor - found[1].length - (before.endsWith(`[[${found[1]}`) ? 2 : 0)
  const notes = matchNotes(found[1], paths)
  return {
    names: notes.map(({ label }) => label),
    take(at) {
      const link = `[[${notes[at].label}]] `
      return { text: text.slice(0, start) + link + text.slice(cursor), cursor: start + link.length }
    },
  }
}
