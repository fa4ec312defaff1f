import { changedWords, diffParts, type NumberedLine, type WordPart } from '../../../core/vault/index.js'
import { type Style, visibleLine, visibleText } from '../terminal/index.js'

/** A unified diff for a person: line numbers, and in a line that was replaced the words that differ. Nothing is cut. */
export function wordDiff(diff: string, style: Style): string[] {
  return diffParts(diff).flatMap((part) => {
    switch (part.kind) {
      case 'replaced':
        return replaced(part.removed, part.added, style)
      case 'kept':
        return [style.faint(drawn(' ', part.line.number, lineText(part.line.text)))]
      case 'gap':
        return [style.faint('   …')]
      case 'remark':
        return [style.warning(visibleLine(part.text))]
      default:
        return part satisfies never
    }
  })
}

function replaced(removed: NumberedLine[], added: NumberedLine[], style: Style): string[] {
  // Where line ends change they are shown, else they are as in the rest of the note.
  const isMixed = new Set([...removed, ...added].map(({ text }) => text.endsWith('\r'))).size > 1
  const shown = isMixed ? visibleText : lineText
  const pairs = removed.length === added.length ? removed.map(({ text }, at) => changedWords(text, added[at].text)) : []
  const words = (parts: WordPart[] | undefined, whole: string): string =>
    parts?.map(({ text, changed }) => (changed ? style.changed(shown(text)) : shown(text))).join('') ?? shown(whole)
  const before = removed.map(({ number, text }, at) =>
    style.removed(drawn('-', number, words(pairs[at]?.before, text))),
  )
  const after = added.map(({ number, text }, at) => style.added(drawn('+', number, words(pairs[at]?.after, text))))
  return [...before, ...after]
}

function lineText(text: string): string {
  return visibleText(text.replace(/\r$/, ''))
}

function drawn(mark: string, number: number, text: string): string {
  return `${mark} ${String(number).padStart(4)}  ${text}`
}
