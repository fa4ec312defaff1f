import { useLayoutEffect, useRef } from 'preact/hooks'
import { visibleJson, visibleText } from '../../core/text/index.js'
import { Fold } from '../fold.js'
import { NoteLinks } from '../note-links.js'
import { type NotePlace, useHost } from '../ui-host.js'

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
  const { Markdown } = useHost()
  const { properties, tags, headings, backlinks } = note
  return (
    <div class="nw-note">
      <p class="nw-remark">{visibleText(note.path).text}</p>
      {place?.lines && <CitedLines note={note} place={place} />}
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
                  {visibleText(text).text} <small>line {line}</small>
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
  place: { lines: [first, last] = [1, 1], quote },
}: {
  note: ShownNote
  place: NotePlace
}) {
  const mark = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => mark.current?.scrollIntoView({ block: 'nearest' }), [])
  const lines = text.split('\n')
  const from = Math.max(1, first - around)
  const shown = lines.slice(from - 1, last + around)
  return (
    <div class="nw-cited" role="group" aria-label={`Lines ${first} to ${last}`} ref={mark}>
      {shown.map((line, at) => (
        <div key={at} class={from + at >= first && from + at <= last ? 'nw-diff-line nw-cited-line' : 'nw-diff-line'}>
          <span class="nw-diff-number" aria-hidden="true">
            {from + at}
          </span>
          <span />
          <span class="nw-diff-text">{marked(line.replace(/\r$/, ''), quote)}</span>
        </div>
      ))}
    </div>
  )
}

/** The quote set apart, where all of it stands in this line. */
function marked(line: string, quote: string | undefined) {
  const at = quote ? line.indexOf(quote) : -1
  if (!quote || at === -1) return visibleText(line).text
  return (
    <>
      {visibleText(line.slice(0, at)).text}
      <mark>{visibleText(quote).text}</mark>
      {visibleText(line.slice(at + quote.length)).text}
    </>
  )
}
