import type { ComponentType } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SearchAnswer, SearchHit } from '../../core/index/index.js'
import { count, visibleText } from '../../core/text/index.js'
import { FailureBox } from '../chat/failure-box.js'
import { EmptyState } from '../controls/states.js'
import { plainLine } from '../note/plain-text.js'
import { type NoteLocation, useHost } from '../ui-host.js'
import { FilterBar, type SuggestFilter } from './filter-bar.js'
import { freshnessWords } from './freshness-words.js'
import { bestLine, markedText, reasonOf, relevantHits, snippetOf } from './relevant-hits.js'
import { filterRequest, filterWords, type SearchFilter } from './search-filters.js'

/** In the format of the index. */
export interface SearchInput {
  query: string
  limit: number
  explain: true
  texts: true
  tags?: string[]
  folder?: string
  properties?: Record<string, string>
  after?: string
  before?: string
}

/** Words and filters of a search. */
export interface SearchQuery {
  words: string
  filters: SearchFilter[]
}

const noQuery: SearchQuery = { words: '', filters: [] }

/** The selected hit, beside the list. */
export type HitPreview = ComponentType<{ hit: SearchHit; words: readonly string[] }>

interface SearchPanelProps {
  /** Searched at first. */
  initial?: SearchQuery | undefined
  ask: (wish: SearchInput) => Promise<SearchAnswer>
  /** A key pressed within this time goes along with the one before. */
  typingMs?: number
  suggest?: SuggestFilter
  Preview?: HitPreview
  /** A question about notes. Without it nothing can be asked from here. */
  onAsk?: (paths: readonly string[], words: string) => void
  onQuery?: (query: SearchQuery) => void
}

/** The first wait for an outdated index, and the longest. */
const lookAgainMs = 1000
const mostMs = 10_000

/** Search as you type. One request at a time: text typed during one is searched after it. */
export function SearchPanel({ ask, initial = noQuery, typingMs = 0, onQuery, ...view }: SearchPanelProps) {
  const { failureOf } = useHost()
  const [query, setQuery] = useState(initial)
  const [answer, setAnswer] = useState<SearchAnswer | undefined>()
  const [trouble, setTrouble] = useState<unknown>()
  const wanted = useRef<SearchInput | undefined>(undefined)
  const isAsking = useRef(false)
  const waitMs = useRef(lookAgainMs)

  async function askUntilAnswered(): Promise<void> {
    if (isAsking.current) return
    isAsking.current = true
    // Nothing was asked yet, which is not the same as looking for nothing: an emptied field shows nothing either.
    let asked: SearchInput | undefined | typeof nothingYet = nothingYet
    while (wanted.current !== asked) {
      asked = wanted.current
      try {
        const found = asked && (await ask(asked))
        if (wanted.current !== asked) continue
        setAnswer(found)
        setTrouble(undefined)
      } catch (error) {
        setTrouble(error)
      }
    }
    isAsking.current = false
  }
  useEffect(() => {
    wanted.current = wishFor(query)
    onQuery?.(query)
    if (typingMs === 0 || wanted.current === undefined) return void askUntilAnswered()
    const timer = window.setTimeout(() => void askUntilAnswered(), typingMs)
    return () => window.clearTimeout(timer)
  }, [query])

  // Results of an outdated index are requested again, at growing intervals.
  useEffect(() => {
    if (answer === undefined || answer.freshness === 'fresh') {
      waitMs.current = lookAgainMs
      return
    }
    const timer = window.setTimeout(() => {
      waitMs.current = Math.min(mostMs, waitMs.current * 2)
      wanted.current &&= { ...wanted.current }
      void askUntilAnswered()
    }, waitMs.current)
    return () => window.clearTimeout(timer)
  }, [answer])

  return (
    <>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="The search failed" />}
      <SearchView query={query} answer={answer} onQuery={setQuery} {...view} />
    </>
  )
}

const nothingYet = Symbol('nothing was asked yet')

const mostHits = 30

/** Undefined where nothing is looked for. */
function wishFor({ words, filters }: SearchQuery): SearchInput | undefined {
  if (words.trim() === '' && filters.length === 0) return undefined
  return { query: words, limit: mostHits, explain: true, texts: true, ...filterRequest(filters) }
}

interface SearchViewProps extends Pick<SearchPanelProps, 'suggest' | 'Preview' | 'onAsk'> {
  query: SearchQuery
  answer: SearchAnswer | undefined
  onQuery: (query: SearchQuery) => void
}

/** A question about the found notes names at most this many. */
const mostAsked = 5

/** The field with its filters, the hits, and a preview of the selected one. Arrows move, Enter opens. */
export function SearchView({ query, answer, onQuery, suggest, Preview, onAsk }: SearchViewProps) {
  const { openNote, Icon } = useHost()
  const { words, filters } = query
  const [selected, setSelected] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const preview = useRef<HTMLElement>(null)
  const id = useId()
  const hits = answer ? relevantHits(answer) : []
  const marked = answer?.words ?? []
  const current = hits[Math.min(selected, hits.length - 1)]

  useEffect(() => setSelected(0), [answer?.query, filters])
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])

  const open = (hit: SearchHit | undefined) => hit && openNote(hit.path, placeOf(hit, marked))
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && hits.length > 0) setSelected((selected + step + hits.length) % hits.length)
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && onAsk && hits.length > 0)
      onAsk(
        hits.slice(0, mostAsked).map(({ path }) => path),
        words,
      )
    else if (event.key === 'Enter' && !event.isComposing) open(current)
    else if (event.key === 'Escape' && words !== '') onQuery({ ...query, words: '' })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  function onPress(hit: SearchHit, at: number): void {
    // Where there is no room for a preview, a press opens the note.
    const hasPreview = preview.current !== null && preview.current.offsetParent !== null
    if (!hasPreview || selected === at) open(hit)
    else setSelected(at)
  }

  return (
    <div class="nw-search">
      <div class="nw-find" role="search">
        <div class="nw-input">
          <Icon name="search" />
          <input
            ref={field}
            class="nw-search-field"
            type="text"
            role="combobox"
            enterKeyHint="search"
            autoComplete="off"
            aria-label="Search your notes"
            aria-autocomplete="list"
            aria-expanded={hits.length > 0}
            aria-controls={id}
            aria-activedescendant={current && `${id}-${hits.indexOf(current)}`}
            placeholder="Search your notes…"
            value={words}
            onInput={(event) => onQuery({ ...query, words: event.currentTarget.value })}
            onKeyDown={onKeyDown}
          />
          {words !== '' && (
            <button
              type="button"
              class="nw-btn-plain nw-btn-icon nw-btn-small"
              aria-label="Clear the search"
              title="Clear the search"
              onClick={() => {
                onQuery({ ...query, words: '' })
                field.current?.focus()
              }}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
        <FilterBar filters={filters} onFilters={(next) => onQuery({ ...query, filters: next })} suggest={suggest} />
      </div>
      <div class={Preview ? 'nw-results' : 'nw-results nw-results-alone'}>
        <div class="nw-found">
          <p role="status" class="nw-found-count">
            {statusOf(answer, hits)}
          </p>
          <div class="nw-hits" role="listbox" id={id} aria-label="Results" ref={list} hidden={hits.length === 0}>
            {hits.map((hit, at) => (
              <button
                type="button"
                tabIndex={-1}
                key={`${hit.path}:${hit.lines[0]}`}
                id={`${id}-${at}`}
                class="nw-hit"
                role="option"
                aria-selected={hit === current}
                // The field keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onPress(hit, at)}
                onDblClick={() => open(hit)}
              >
                <Hit hit={hit} answer={answer!} words={marked} />
              </button>
            ))}
          </div>
          {answer === undefined ? (
            <EmptyState icon="search" title="Search your notes">
              Names, text, tags and properties. Also: "a phrase", tag:garden, path:Daily, -word.
            </EmptyState>
          ) : (
            hits.length === 0 && <NoMatches query={query} answer={answer} onQuery={onQuery} onAsk={onAsk} />
          )}
        </div>
        {Preview && (
          <aside class="nw-preview" aria-label="Preview" ref={preview}>
            {current && <Preview hit={current} words={marked} />}
          </aside>
        )}
      </div>
    </div>
  )
}

/** The paragraph to mark in a note. */
export function placeOf(hit: SearchHit, words: readonly string[]): NoteLocation {
  const line = bestLine(hit, words)
  return { lines: [line, line] }
}

/** Freshness and corrections are said whether or not something was found. */
function statusOf(answer: SearchAnswer | undefined, hits: readonly SearchHit[]): string {
  if (answer === undefined) return ''
  const { freshness, corrected = {}, phraseMissed, notice, missing = [] } = answer
  const isBehind = freshness !== 'fresh'
  const instead = Object.entries(corrected).map(
    ([typed, nearest]) => `No note contains “${typed}”; searched for “${nearest}”.`,
  )
  const isNew = missing.filter((word) => !Object.hasOwn(corrected, word))
  return visibleText(
    [
      hits.length === 0
        ? ''
        : hits.length < mostHits
          ? `${count(hits.length, 'note')}.`
          : `The best ${mostHits} notes.`,
      ...instead,
      hits.length > 0 && isNew.length > 0 && `No note contains ${quoted(isNew)}.`,
      phraseMissed && 'No note contains the phrase; these contain its words.',
      isBehind && freshnessWords(freshness),
      notice,
    ]
      .filter(Boolean)
      .join(' '),
  ).text
}

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(', ')

/** A query that nothing matches: the words and filters that were searched, and the next step. */
function NoMatches({
  query,
  answer,
  onQuery,
  onAsk,
}: {
  query: SearchQuery
  answer: SearchAnswer
  onQuery: (query: SearchQuery) => void
  onAsk: SearchPanelProps['onAsk']
}) {
  const { words: typed, filters } = query
  const { words = [], missing = [], excluded = [], freshness } = answer
  const found = words.filter((word) => !missing.includes(word))
  const facts = [
    words.length > 0 && `Searched for ${quoted(words)}.`,
    missing.length > 0 && found.length > 0 && `No note contains ${quoted(missing)}.`,
    excluded.length > 0 && `Left out notes with ${quoted(excluded)}.`,
    filters.length > 0 && `Only notes with: ${filters.map(filterWords).join(', ')}.`,
  ].filter(Boolean)
  return (
    <EmptyState
      icon="search"
      title={freshness === 'fresh' ? 'No matches' : 'Nothing found yet'}
      actions={
        (filters.length > 0 || onAsk) && (
          <>
            {filters.length > 0 && (
              <button type="button" onClick={() => onQuery({ ...query, filters: [] })}>
                Clear the filters
              </button>
            )}
            {onAsk && typed.trim() !== '' && (
              <button type="button" onClick={() => onAsk([], typed)}>
                Ask instead
              </button>
            )}
          </>
        )
      }
    >
      {visibleText(facts.join(' ') || 'Try fewer or different words.').text}
    </EmptyState>
  )
}

function Hit({ hit, answer, words }: { hit: SearchHit; answer: SearchAnswer; words: readonly string[] }) {
  const { title, heading, path } = hit
  const folder = path.split('/').slice(0, -1).join(' › ')
  const where = heading && heading !== title ? plainLine(heading) : folder
  return (
    <>
      <span class="nw-hit-head">
        <b class="nw-hit-title nw-cut">
          <Marked text={title} words={words} />
        </b>
        {where && <span class="nw-hit-where nw-cut">{visibleText(where).text}</span>}
      </span>
      <span class="nw-hit-text">
        <Marked text={snippetOf(hit, words)} words={words} />
      </span>
      {reasonOf(hit, answer) === 'meaning' && <span class="nw-facts-line">Found by meaning</span>}
    </>
  )
}

function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return (
    <>
      {markedText(text, words).map((part, at) =>
        part.isMatch ? <mark key={at}>{visibleText(part.text).text}</mark> : visibleText(part.text).text,
      )}
    </>
  )
}
