import { useLayoutEffect, useRef } from 'preact/hooks'
import { visibleJson, visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'
import { NoteLinks } from '../note-links.js'
import { type NotePlace, useHost } from '../ui-host.js'
import { type LineSpan, quoteSpans } from './quote-spans.js'

/** A note as it is shown: inert, whatever stands in it. */
export interface ShownNote {
  path: string
  title: string
  tags: readonly string[]
  properties: Readonly<Record<string, unknown>> | null
  headings: readonly { level: number; text: string; line: number }[]
  text: string
  /** Where the text begins behind the properties. */
  bodyAt: number
  backlinks: readonly string[]
}

/** Nothing in it runs, nothing is loaded, embeds are links. The lines somebody cites are shown as they stand. */
export function NoteView({ note, place }: { note: ShownNote; place?: NotePlace }) {
  const { Markdown, openNote } = useHost()
  const { properties, tags, headings, backlinks } = note
  return (
    <div class="nw-note">
      <p class="nw-remark">{visibleText(note.path).text}</p>
      {place?.lines && <CitedLines key={place.lines.join()} note={note} place={place} />}
      {properties && Object.keys(properties).length > 0 && (
        <Fold label="Properties">
          {() => (
            <dl class="nw-arguments">
              {Object.entries(properties).map(([name, value]) => (
                <div key={name}>
                  <dt>{visibleText(name).text}</dt>
                  <dd>{typeof value === 'string' ? visibleText(value).text : visibleJson(JSON.stringify(value))}</dd>
                </div>
              ))}
            </dl>
          )}
        </Fold>
      )}
      {tags.length > 0 && <p class="nw-remark">{visibleText(tags.map((tag) => `#${tag}`).join(' ')).text}</p>}
      {headings.length > 2 && (
        <Fold label="Outline">
          {() => (
            <ul>
              {headings.map(({ level, text, line }) => (
                <li key={line} class={`nw-outline-${Math.min(level, 4)}`}>
                  <button type="button" class="nw-link" onClick={() => openNote(note.path, { lines: [line, line] })}>
                    {visibleText(text).text}
                  </button>{' '}
                  <small>line {line}</small>
                </li>
              ))}
            </ul>
          )}
        </Fold>
      )}
      <Markdown text={note.text.slice(note.bodyAt)} />
      <h3>Backlinks</h3>
      {backlinks.length === 0 ? <p class="nw-remark">No other note links here.</p> : <NoteLinks paths={backlinks} />}
    </div>
  )
}

/** Lines before and after, so that the place makes sense. */
const around = 2

function CitedLines({
  note: { text },
  place: { lines: [first, last] = [1, 1], quotes = [] },
}: {
  note: ShownNote
  place: NotePlace
}) {
  const mark = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => mark.current?.scrollIntoView({ block: 'nearest' }), [])
  const lines = text.split('\n')
  const from = Math.max(1, first - around)
  const shown = lines.slice(from - 1, last + around).map((line) => line.replace(/\r$/, ''))
  const spans = quoteSpans(shown, quotes)
  return (
    <div class="nw-cited" role="group" aria-label={`Lines ${first} to ${last}`} ref={mark}>
      {shown.map((line, at) => (
        <div key={at} class={from + at >= first && from + at <= last ? 'nw-diff-line nw-cited-line' : 'nw-diff-line'}>
          <span class="nw-diff-number" aria-hidden="true">
            {from + at}
          </span>
          <span />
          <span class="nw-diff-text">{marked(line, spans[at])}</span>
        </div>
      ))}
    </div>
  )
}

/** What is quoted, set apart. */
function marked(line: string, spans: readonly LineSpan[]) {
  const parts = spans.flatMap(([from, to], at) => [
    visibleText(line.slice(spans[at - 1]?.[1] ?? 0, from)).text,
    <mark key={from}>{visibleText(line.slice(from, to)).text}</mark>,
  ])
  return [...parts, visibleText(line.slice(spans[spans.length - 1]?.[1] ?? 0)).text]
}
