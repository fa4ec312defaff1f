import type { NotePath } from '../../vault/index.js'
import type { SearchAnswer, SearchHit, SearchRequest } from '../../vault-index/index.js'

const defaultLimit = 10
const mostHits = 1000

/** Searches until enough hits are left that may be shown, and says nothing that only the others could have said. */
export async function screenSearch(
  request: SearchRequest,
  search: (request: SearchRequest) => Promise<SearchAnswer>,
  isVisible: (path: NotePath) => Promise<boolean>,
): Promise<SearchAnswer> {
  const limit = Math.min(Math.max(1, request.limit ?? defaultLimit), mostHits)
  const answer = await enough(request, limit, search, isVisible)
  // The phrase is only in notes that are not there, so for the model it is nowhere.
  if (answer.hits.length === 0 && !answer.phraseMissed && request.query.includes('"')) {
    const words = await enough({ ...request, query: request.query.replaceAll('"', ' ') }, limit, search, isVisible)
    if (words.hits.length > 0) return { ...spoken(words), query: request.query, phraseMissed: true }
  }
  // Only notes that are not there carry the tag: then it is a word like others.
  if (answer.hits.length === 0 && request.query.includes('#')) {
    const words = await enough({ ...request, query: request.query.replaceAll('#', ' ') }, limit, search, isVisible)
    return { ...spoken(words), query: request.query }
  }
  return spoken(answer)
}

async function enough(
  request: SearchRequest,
  limit: number,
  search: (request: SearchRequest) => Promise<SearchAnswer>,
  isVisible: (path: NotePath) => Promise<boolean>,
): Promise<SearchAnswer> {
  for (let wanted = limit + 10; ; wanted *= 4) {
    const asked = Math.min(wanted, mostHits)
    const answer = await search({ ...request, limit: asked })
    const hits: SearchHit[] = []
    for (const hit of answer.hits) if (hits.length < limit && (await isVisible(hit.path))) hits.push(hit)
    if (hits.length === limit || answer.hits.length < asked || asked === mostHits) return { ...answer, hits }
  }
}

/** A correction is told when a hit shows the word: else it might come from a note that is not there. */
function spoken({ corrected, ...answer }: SearchAnswer): SearchAnswer {
  if (corrected === undefined) return answer
  const shown = answer.hits
    .map(({ title, heading, preview }) => `${title} ${heading} ${preview}`.toLowerCase())
    .join(' ')
  const told = Object.entries(corrected).filter(([, word]) => shown.includes(word.toLowerCase()))
  return told.length === 0 ? answer : { ...answer, corrected: Object.fromEntries(told) }
}
