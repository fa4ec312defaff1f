import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Citation } from '../../core/agent/index.js'
import { citationWords, citedPlace } from '../../core/session/index.js'
import { visibleText } from '../../core/text/index.js'
import { CitationContext, type ShownCitation } from '../markdown/citation-mark.js'
import { type UiHost, useHost } from '../ui-host.js'

/** A place that an answer cites, once. A note that was only read has no number. */
export interface CitedSource {
  number: number | undefined
  citation: Citation
  quotes: readonly string[]
  /** The links of the answer that mean it, as they are written. */
  targets: ReadonlySet<string>
}

export function sourcesOf(citations: readonly Citation[]): CitedSource[] {
  const places = new Map<string, { citation: Citation; quotes: string[]; targets: Set<string> }>()
  for (const citation of citations) {
    const key = `${citedPlace(citation)} ${citation.check}`
    const place = places.get(key) ?? { citation, quotes: [], targets: new Set() }
    places.set(key, place)
    if (citation.quote !== undefined) place.quotes.push(citation.quote)
    const target = targetIn(citation.raw)
    if (target !== undefined) place.targets.add(target)
  }
  let number = 0
  return [...places.values()].map((place) => ({ ...place, number: place.citation.raw === '' ? undefined : ++number }))
}

const targetIn = (raw: string): string | undefined =>
  /^!?\[\[([^\]|]+)/.exec(raw)?.[1]?.trim() ?? /\]\(<?([^)>]*)>?\)$/.exec(raw)?.[1]

/** Source numbers for the links of an answer: in the order of the text while it is written, then as they were checked. */
export function CitedAnswer({
  sources,
  text,
  isLive,
  children,
}: {
  sources: readonly CitedSource[]
  text: string
  isLive: boolean
  children: ComponentChildren
}) {
  const { openNote } = useHost()
  const written = isLive ? targetsIn(text).join('\n') : ''
  const shown = useMemo((): ReadonlyMap<string, ShownCitation> => {
    const checked = sources.flatMap((source) => {
      const { number, targets } = source
      const mark = number === undefined ? [] : [{ number, open: () => openSource(source, openNote) }]
      return mark.flatMap((one) => [...targets].map((target) => [target, one] as const))
    })
    if (checked.length > 0) return new Map(checked.reverse())
    const links = written === '' ? [] : written.split('\n')
    return new Map(links.map((target, at) => [target, { number: at + 1, open: () => openNote(target) }]))
  }, [sources, written])
  return <CitationContext.Provider value={shown}>{children}</CitationContext.Provider>
}

const targetsIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/(!?)\[\[([^\]|\n]+)(?:\|[^\]\n]*)?\]\]/g)].flatMap(([, embed, target]) =>
      embed === '' ? (target?.trim() ?? []) : [],
    ),
  ),
]

function openSource({ citation, quotes }: CitedSource, openNote: UiHost['openNote']): void {
  const { path, heading, lines, check } = citation
  if (path === undefined) return
  const target = check === 'missing' || heading === undefined ? path : `${path}#${heading}`
  openNote(target, { lines, ...(check === 'verbatim' && { quotes }) })
}

/** The places an answer cites, each once, with the result of its check, as text. */
export function SourceList({ sources }: { sources: readonly CitedSource[] }) {
  if (sources.length === 0) return null
  return (
    <div role="group" class="nw-sources" aria-label="Sources">
      <h3>Sources</h3>
      <ul>
        {sources.map((source) => (
          <li key={`${citedPlace(source.citation)} ${source.citation.check}`}>
            <Source source={source} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const oneLine = (text: string): string => visibleText(text).text.replaceAll('\n', ' ')

function Source({ source }: { source: CitedSource }) {
  const { openNote, hoverNote, Icon } = useHost()
  const { citation, number } = source
  const { path, heading, check } = citation
  const words = oneLine(citationWords(citation))
  const place = oneLine(citedPlace(citation))
  const mark = number === undefined ? <Icon name="note" /> : <span class="nw-cite">{number}</span>
  if (path === undefined) {
    return (
      <span class={`nw-chip nw-chip-${check}`}>
        {mark} {place} <em>{words}</em>
      </span>
    )
  }
  const target = heading === undefined ? path : `${path}#${heading}`
  return (
    <button
      type="button"
      class={`nw-chip nw-chip-${check}`}
      onMouseEnter={(event) => hoverNote?.(target, event)}
      onClick={() => openSource(source, openNote)}
    >
      {mark}
      <span>{place}</span>
      {words && <em>{words}</em>}
    </button>
  )
}
