import { useId } from 'preact/hooks'
import { visibleText } from '../../core/text/index.js'
import type { SearchAnswer, SearchHit } from '../../core/vault-index/index.js'
import { Fold } from '../fold.js'
import { useHost } from '../ui-host.js'
import { freshnessWords } from './freshness-words.js'
import { WhyBars } from './why-bars.js'

/** What a person narrows a search down to. */
export interface SearchFilters {
  tag: string
  folder: string
  /** `status` or `status: done`. */
  property: string
  after: string
  before: string
}

export const noFilters: SearchFilters = { tag: '', folder: '', property: '', after: '', before: '' }

/** Search as it is typed: the field, its filters, and what was found. */
export function SearchView({
  query,
  filters,
  answer,
  onQuery,
  onFilters,
}: {
  query: string
  filters: SearchFilters
  answer: SearchAnswer | undefined
  onQuery: (query: string) => void
  onFilters: (filters: SearchFilters) => void
}) {
  const filter = (name: keyof SearchFilters, label: string, type: 'text' | 'date' = 'text') => (
    <Filter
      label={label}
      type={type}
      value={filters[name]}
      onValue={(value) => onFilters({ ...filters, [name]: value })}
    />
  )
  return (
    <div class="nw-search">
      <input
        class="nw-search-field"
        type="search"
        aria-label="Search your notes"
        placeholder="Search your notes…"
        value={query}
        onInput={(event) => onQuery(event.currentTarget.value)}
      />
      <Fold label="Filters">
        {() => (
          <div class="nw-filters">
            {filter('tag', 'Tag')}
            {filter('folder', 'Folder')}
            {filter('property', 'Property, as status: done')}
            {filter('after', 'From', 'date')}
            {filter('before', 'To', 'date')}
          </div>
        )}
      </Fold>
      <p role="status" class="nw-remark">
        {statusOf(query, answer)}
      </p>
      {answer && <Hits answer={answer} />}
    </div>
  )
}

function Filter({
  label,
  type,
  value,
  onValue,
}: {
  label: string
  type: 'text' | 'date'
  value: string
  onValue: (value: string) => void
}) {
  const id = useId()
  return (
    <div class="nw-field">
      <label for={id}>{label}</label>
      {type === 'date' ? (
        <input id={id} type="date" value={value} onInput={(event) => onValue(event.currentTarget.value)} />
      ) : (
        <input id={id} value={value} onInput={(event) => onValue(event.currentTarget.value)} />
      )}
    </div>
  )
}

function statusOf(query: string, answer: SearchAnswer | undefined): string {
  if (answer === undefined)
    return query.trim() === '' ? 'Type to search names, text, tags and properties of your notes.' : ''
  const { hits, freshness, corrected = {}, phraseMissed, notice } = answer
  const isBehind = freshness !== 'fresh'
  const nothing = isBehind ? 'Nothing was found yet.' : 'No notes match. Try fewer words or other filters.'
  const found = hits.length === 0 ? nothing : `${hits.length} found.`
  const instead = Object.entries(corrected).map(
    ([typed, nearest]) => `“${typed}” is in no note; searched for “${nearest}”.`,
  )
  return visibleText(
    [
      found,
      ...instead,
      phraseMissed && 'The phrase stands in no note; these hold its words.',
      isBehind && freshnessWords(freshness),
      notice,
    ]
      .filter(Boolean)
      .join(' '),
  ).text
}

function Hits({ answer }: { answer: SearchAnswer }) {
  return (
    <ol class="nw-hits">
      {answer.hits.map((hit) => (
        <li key={`${hit.path}:${hit.lines[0]}`}>
          <Hit hit={hit} />
        </li>
      ))}
    </ol>
  )
}

function Hit({ hit }: { hit: SearchHit }) {
  const { openNote } = useHost()
  const { path, title, heading, lines, preview, score, why } = hit
  return (
    <>
      <button type="button" class="nw-link nw-hit-title" onClick={() => openNote(path, { lines })}>
        {visibleText(title).text}
        {heading && heading !== title && ` › ${visibleText(heading).text}`}
      </button>
      <p class="nw-remark">
        {visibleText(path).text}, line {lines[0]}
      </p>
      <p>{visibleText(preview).text}</p>
      <Fold label={`Why it was found: ${Math.round(score * 100)} of 100`}>{() => <WhyBars why={why ?? {}} />}</Fold>
    </>
  )
}
