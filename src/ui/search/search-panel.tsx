import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchAnswer } from '../../core/vault-index/index.js'
import { FailureBox } from '../chat/index.js'
import { useHost } from '../ui-host.js'
import { noFilters, type SearchFilters, SearchView } from './search-view.js'

/** As the index takes it. */
export interface SearchWish {
  query: string
  limit: number
  explain: true
  tags?: string[]
  folder?: string
  properties?: Record<string, string>
  after?: string
  before?: string
}

export interface SearchPanelProps {
  ask: (wish: SearchWish) => Promise<SearchAnswer>
  /** A key pressed within this time goes along with the one before. */
  typingMs?: number
}

/** The first wait for an index that is behind, and the longest. */
const lookAgainMs = 1000
const mostMs = 10_000

/** Search as it is typed. One question at a time: what is typed while one is on its way is asked when it is back. */
export function SearchPanel({ ask, typingMs = 0 }: SearchPanelProps) {
  const { failureOf } = useHost()
  const [query, setQuery] = useState('')
  const [filters, setFilters] = useState(noFilters)
  const [answer, setAnswer] = useState<SearchAnswer | undefined>()
  const [trouble, setTrouble] = useState<unknown>()
  const wanted = useRef<SearchWish | undefined>(undefined)
  const isAsking = useRef(false)
  const waitMs = useRef(lookAgainMs)

  async function askUntilAnswered(): Promise<void> {
    if (isAsking.current) return
    isAsking.current = true
    // Nothing was asked yet, which is not the same as looking for nothing: an emptied field shows nothing either.
    let asked: SearchWish | undefined | typeof nothingYet = nothingYet
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
    wanted.current = wishFor(query, filters)
    if (typingMs === 0 || wanted.current === undefined) return void askUntilAnswered()
    const timer = window.setTimeout(() => void askUntilAnswered(), typingMs)
    return () => window.clearTimeout(timer)
  }, [query, filters])

  // What was found before the index had caught up is asked for again, less often the longer that takes.
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
      <SearchView query={query} filters={filters} answer={answer} onQuery={setQuery} onFilters={setFilters} />
    </>
  )
}

const nothingYet = Symbol('nothing was asked yet')

/** Undefined where nothing is looked for. */
function wishFor(query: string, { tag, folder, property, after, before }: SearchFilters): SearchWish | undefined {
  if ([query, tag, folder, property, after, before].every((text) => text.trim() === '')) return undefined
  return {
    query,
    limit: 20,
    explain: true,
    ...(tag.trim() && { tags: tag.split(/[\s,]+/).filter(Boolean) }),
    ...(folder.trim() && { folder: folder.trim().replace(/^\/+|\/+$/g, '') }),
    ...propertyIn(property),
    ...(after && { after }),
    ...(before && { before }),
  }
}

/** `status: done`, once both are typed. */
function propertyIn(text: string): { properties?: Record<string, string> } {
  const [, name, value] = /^\s*([^:=]+?)\s*[:=]\s*(\S.*?)\s*$/.exec(text) ?? []
  return name === undefined ? {} : { properties: { [name]: value } }
}
