import { visibleText } from '../../core/text/index.js'
import { changedWords, type DiffPart, diffParts, type NumberedLine, type WordPart } from '../../core/vault/index.js'

/** A unified diff with line numbers, and in a replaced line the words that differ. Nothing of it is cut. */
export function DiffView({ diff, label }: { diff: string; label: string }) {
  return (
    <div role="group" class="nw-diff nw-scroll" aria-label={label} tabIndex={0}>
      {diffParts(diff).map((part, at) => (
        <DiffPartView key={at} part={part} />
      ))}
    </div>
  )
}

function DiffPartView({ part }: { part: DiffPart }) {
  switch (part.kind) {
    case 'replaced':
      return <ReplacedLines removed={part.removed} added={part.added} />
    case 'kept':
      return <Line mark=" " number={part.line.number} parts={[{ text: part.line.text, changed: false }]} />
    case 'gap':
      return <div class="nw-diff-gap">⋯</div>
    case 'remark':
      return <div class="nw-diff-gap">{visibleText(part.text).text}</div>
    default:
      return part satisfies never
  }
}

/** Lines that go and those that come in their place. */
export function ReplacedLines({
  removed,
  added,
}: {
  removed: readonly NumberedLine[]
  added: readonly NumberedLine[]
}) {
  // Where line ends change they are shown, else they are as in the rest of the note.
  const isMixed = new Set([...removed, ...added].map(({ text }) => text.endsWith('\r'))).size > 1
  const pairs = removed.length === added.length ? removed.map(({ text }, at) => changedWords(text, added[at].text)) : []
  const whole = (text: string): WordPart[] => [{ text, changed: false }]
  return (
    <>
      {removed.map(({ number, text }, at) => (
        <Line key={`-${number}`} mark="−" number={number} parts={pairs[at]?.before ?? whole(text)} showsEnd={isMixed} />
      ))}
      {added.map(({ number, text }, at) => (
        <Line key={`+${number}`} mark="+" number={number} parts={pairs[at]?.after ?? whole(text)} showsEnd={isMixed} />
      ))}
    </>
  )
}

const names = { '−': 'removed', '+': 'added', ' ': 'kept' }

function Line({
  mark,
  number,
  parts,
  showsEnd,
}: {
  mark: '−' | '+' | ' '
  number: number
  parts: WordPart[]
  showsEnd?: boolean
}) {
  const words = parts.map(({ text, changed }) => {
    const shown = visibleText(showsEnd ? text : text.replace(/\r$/, '')).text
    if (!changed) return shown
    return mark === '+' ? <ins>{shown}</ins> : <del>{shown}</del>
  })
  return (
    <div class={`nw-diff-line nw-diff-${names[mark]}`}>
      <span class="nw-diff-number" aria-hidden="true">
        {number}
      </span>
      <span class="nw-diff-mark">{mark === ' ' ? '\u00a0' : mark}</span>
      <span class="nw-diff-text">{words}</span>
    </div>
  )
}
