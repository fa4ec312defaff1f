import type { Citation } from '../../core/agent/index.js'
import { citationWords, citedPlace } from '../../core/session/index.js'
import { visibleText } from '../../core/text/index.js'
import { useHost } from '../ui-host.js'

/** The places an answer names, each once, with what checking them has shown, in words. */
export function Sources({ citations }: { citations: readonly Citation[] }) {
  const places = new Map<string, Citation[]>()
  for (const citation of citations) {
    const key = `${citedPlace(citation)} ${citation.check}`
    places.set(key, [...(places.get(key) ?? []), citation])
  }
  if (places.size === 0) return null
  return (
    <div role="group" class="nw-sources" aria-label="Sources">
      <h3>Sources</h3>
      <ul>
        {[...places].map(([key, [citation, ...more]]) => (
          <li key={key}>
            <Source citation={citation} quotes={[citation, ...more].flatMap(({ quote }) => quote ?? [])} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Source({ citation, quotes }: { citation: Citation; quotes: readonly string[] }) {
  const { openNote, hoverNote, Icon } = useHost()
  const { path, lines, check } = citation
  const words = shown(citationWords(citation))
  const place = shown(citedPlace(citation))
  if (path === undefined) {
    return (
      <span class={`nw-chip nw-chip-${check}`}>
        {place} <em>{words}</em>
      </span>
    )
  }
  const target = citation.heading === undefined ? path : `${path}#${citation.heading}`
  return (
    <button
      type="button"
      class={`nw-chip nw-chip-${check}`}
      onMouseEnter={(event) => hoverNote?.(target, event)}
      onClick={() => openNote(check === 'missing' ? path : target, { lines, ...(check === 'verbatim' && { quotes }) })}
    >
      <Icon name="note" />
      <span>{place}</span>
      {words && <em>{words}</em>}
    </button>
  )
}

const shown = (text: string): string => visibleText(text).text.replaceAll('\n', ' ')
