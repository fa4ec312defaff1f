import { useMemo, useRef } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import { type NoteLocation, useHost } from '../ui-host.js'
import { NoteProperties } from './note-properties.js'
import { passageParts } from './passage-parts.js'
import { useHighlight } from './use-highlight.js'

/** A note as displayed: inert. */
export interface ShownNote {
  path: string
  title: string
  tags: readonly string[]
  properties: Readonly<Record<string, unknown>> | null
  /** Why the properties cannot be read. */
  frontmatterError?: string | undefined
  headings: readonly { level: number; text: string; line: number }[]
  /** With LF as line break. */
  text: string
  /** Offset of the text after the properties. */
  bodyAt: number
}

interface NoteViewProps {
  note: ShownNote
  place?: NoteLocation | undefined
  /** Words that were searched, marked in the text. */
  words?: readonly string[]
  /** A tag was pressed. */
  onTag?: ((tag: string) => void) | undefined
}

/** The rendered note with its title and properties. Nothing in it runs or is loaded. A cited passage is marked in place. */
export function NoteView({ note, place, words, onTag }: NoteViewProps) {
  const { Markdown } = useHost()
  const article = useRef<HTMLElement>(null)
  const passage = useRef<HTMLDivElement>(null)
  const { text, bodyAt } = note
  const [first, last] = place?.lines ?? []
  const isTitled = startsWithTitle(note)
  const parts = useMemo(
    () => passageParts(text, isTitled ? afterFirstLine(text, bodyAt) : bodyAt, first, last),
    [text, bodyAt, first, last, isTitled],
  )
  useHighlight({ article, passage, quotes: place?.quotes, words, text: parts })

  return (
    <article class="nw-note" ref={article}>
      <h2 class="nw-note-title">{visibleText(note.title).text}</h2>
      <p class="nw-facts-line">{visibleText(note.path).text}</p>
      {note.frontmatterError !== undefined && (
        <p class="nw-note-warn">The properties of this note can't be read: {visibleText(note.frontmatterError).text}</p>
      )}
      <NoteProperties note={note} onTag={onTag} />
      {parts.before !== '' && <Markdown text={parts.before} />}
      {parts.passage !== '' && (
        <div class="nw-passage" ref={passage} role="group" aria-label={`Lines ${first} to ${last}`}>
          <Markdown text={parts.passage} />
        </div>
      )}
      {parts.after !== '' && <Markdown text={parts.after} />}
    </article>
  )
}

/** The note begins with its title as a heading, which is not drawn twice. */
function startsWithTitle({ text, bodyAt, title }: ShownNote): boolean {
  const [, heading] = /^\s*#[ \t]+([^\n]*?)(?:[ \t]+#+)?[ \t]*(?:\n|$)/.exec(text.slice(bodyAt, bodyAt + 1000)) ?? []
  return heading === title
}

function afterFirstLine(text: string, from: number): number {
  const start = text.length - text.slice(from).trimStart().length
  const end = text.indexOf('\n', start)
  return end === -1 ? text.length : end + 1
}
