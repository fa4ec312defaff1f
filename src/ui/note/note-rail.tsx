import type { ComponentChildren } from 'preact'
import type { RelatedNote } from '../../core/index/index.js'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'
import { plainLine } from './plain-text.js'

/** A note that links to the shown one. */
export interface Backlink {
  path: string
  title: string
  /** The line with the link, as written. */
  text: string
  line: number
  /** Words of the link. */
  label: string
}

/** A link in the shown note. */
export interface OutgoingLink {
  /** null where there is no such note. */
  path: string | null
  title: string
}

interface NoteRailProps {
  headings: readonly { level: number; text: string; line: number }[]
  backlinks: readonly Backlink[]
  /** May be more than are listed. */
  backlinkCount: number
  links: readonly OutgoingLink[]
  related: readonly RelatedNote[] | undefined
  onHeading: (at: number) => void
  children?: ComponentChildren
}

/** The outline of a note, the notes that link to it, its links, and related notes. */
export function NoteRail({ headings, backlinks, backlinkCount, links, related, onHeading, children }: NoteRailProps) {
  return (
    <aside class="nw-rail" aria-label="About this note">
      {headings.length > 2 && (
        <RailSection title="Outline">
          <ol class="nw-outline">
            {headings.map(({ level, text, line }, at) => (
              <li key={line} class={`nw-outline-${Math.min(level, 4)}`}>
                <button type="button" class="nw-rail-row" onClick={() => onHeading(at)}>
                  <span class="nw-cut">{visibleText(plainLine(text)).text}</span>
                </button>
              </li>
            ))}
          </ol>
        </RailSection>
      )}
      <RailSection title="Backlinks" about={backlinkCount > 0 ? `${backlinkCount}` : undefined}>
        {backlinks.length === 0 && <p class="nw-rail-empty">No other note links here.</p>}
        {backlinks.map((link) => (
          <RailNote key={link.path} path={link.path} title={link.title} line={link.line}>
            {link.text !== '' && <MarkedLabel text={plainLine(link.text)} label={link.label} />}
          </RailNote>
        ))}
        {backlinkCount > backlinks.length && (
          <p class="nw-rail-empty">{backlinkCount - backlinks.length} more notes link here.</p>
        )}
      </RailSection>
      {links.length > 0 && (
        <RailSection title="Links" about={`${links.length}`}>
          {links.map(({ path, title }) =>
            path === null ? (
              <p class="nw-rail-row nw-rail-missing" key={title}>
                <span class="nw-cut">{visibleText(title).text}</span>
                <span class="nw-facts-line">not created yet</span>
              </p>
            ) : (
              <RailNote key={path} path={path} title={title} />
            ),
          )}
        </RailSection>
      )}
      {related && (
        <RailSection title="Related" about={related.length > 0 ? 'not linked yet' : undefined}>
          {related.length === 0 && <p class="nw-rail-empty">No related notes, except those it already links to.</p>}
          {related.map(({ path, title, reasons }) => (
            <RailNote key={path} path={path} title={title}>
              {reasons.length > 0 && `${visibleText(reasons.join('. ')).text}.`}
            </RailNote>
          ))}
        </RailSection>
      )}
      {children}
    </aside>
  )
}

function RailSection({
  title,
  about,
  children,
}: {
  title: string
  about?: string | undefined
  children: ComponentChildren
}) {
  return (
    <section aria-label={title}>
      <h3>
        {title} {about && <span>{about}</span>}
      </h3>
      {children}
    </section>
  )
}

function RailNote({
  path,
  title,
  line,
  children,
}: {
  path: string
  title: string
  line?: number
  children?: ComponentChildren
}) {
  const { openNote, hoverNote, Icon } = useHost()
  return (
    <button
      type="button"
      class="nw-rail-note"
      title={visibleText(path).text}
      onClick={() => openNote(path, line === undefined ? undefined : { lines: [line, line] })}
      onMouseEnter={(event) => hoverNote?.(path, event)}
    >
      <span class="nw-rail-title">
        <Icon name="note" />
        <span class="nw-cut">{visibleText(title).text}</span>
      </span>
      {children && <span class="nw-rail-text">{children}</span>}
    </button>
  )
}

/** The part of the line around its link, with the words of the link marked. */
function MarkedLabel({ text, label }: { text: string; label: string }) {
  const words = plainLine(`[[${label}]]`)
  const at = words === '' ? -1 : text.indexOf(words)
  if (at === -1) return <>{visibleText(after(text)).text}</>
  return (
    <>
      {visibleText(before(text.slice(0, at))).text}
      <mark>{visibleText(words).text}</mark>
      {visibleText(after(text.slice(at + words.length))).text}
    </>
  )
}

/** Characters before and after a link. */
const around = 90

const before = (text: string): string =>
  text.length <= around ? text : `…${text.slice(text.indexOf(' ', text.length - around))}`

const after = (text: string): string =>
  text.length <= around ? text : `${text.slice(0, Math.max(text.lastIndexOf(' ', around), 1))}…`
