import { useEffect, useState } from 'preact/hooks'
import type { SearchAnswer } from '../../../core/vault-index/index.js'
import { FailureBox, noFilters, SearchView } from '../../../ui/index.js'
import { failureOf, postJson } from './ask-server.js'

/** A key pressed within this time goes along with the one before. */
const typingMs = 40

export function SearchPane() {
  const [query, setQuery] = useState('')
  const [filters, setFilters] = useState(noFilters)
  const [answer, setAnswer] = useState<SearchAnswer | undefined>()
  const [trouble, setTrouble] = useState<unknown>()

  useEffect(() => {
    const { tag, folder, after, before } = filters
    const isEmpty = [query, tag, folder, after, before].every((text) => text.trim() === '')
    if (isEmpty) return setAnswer(undefined)
    let isLate = false
    const timer = setTimeout(async () => {
      try {
        const request = {
          query,
          limit: 20,
          explain: true,
          ...(tag.trim() && { tags: tag.split(/[\s,]+/).filter(Boolean) }),
          ...(folder.trim() && { folder: folder.trim().replace(/^\/+|\/+$/g, '') }),
          ...(after && { after }),
          ...(before && { before }),
        }
        const found = await postJson<SearchAnswer>('search', request)
        if (isLate) return
        setAnswer(found)
        setTrouble(undefined)
      } catch (error) {
        if (!isLate) setTrouble(error)
      }
    }, typingMs)
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [query, filters])

  return (
    <div class="page-search">
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="The search failed" />}
      <SearchView query={query} filters={filters} answer={answer} onQuery={setQuery} onFilters={setFilters} />
    </div>
  )
}
