import type { NotePath } from '../../../vault/index.js'
import { type CanvasString, canvasStrings, encodeInJson } from './canvas-strings.js'
import type { Renaming } from './renaming.js'
import { rewriteLinks, splice, type TextEdit } from './rewrite-links.js'

/**
 * Writes a canvas's references to moved files anew: file cards, group backgrounds, and links in text cards. Only the
 * characters of the path itself change, whatever the layout of the JSON.
 */
export function rewriteCanvas(renaming: Renaming, source: NotePath, text: string) {
  const edits = canvasStrings(text).flatMap((string) =>
    editsWithin(renaming, source, string).map(({ start, end, text: fresh }): TextEdit => {
      const [from, to] = [string.offsets[start], string.offsets[end]]
      return { start: from, end: to, text: encodeInJson(fresh, text.slice(string.offsets[0], string.offsets.at(-1))) }
    }),
  )
  return { text: splice(text, edits), count: edits.length }
}

function editsWithin(renaming: Renaming, source: NotePath, { field, value }: CanvasString): readonly TextEdit[] {
  if (field === 'text') return rewriteLinks(renaming, source, value).edits
  const path = renaming.before.exact(value)
  const to = path === undefined ? undefined : renaming.moved.get(path)
  return to === undefined ? [] : [{ start: 0, end: value.length, text: to }]
}
