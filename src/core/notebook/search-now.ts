import { Failure } from '../errors.js'
import type { SearchAnswer, SearchHit, SearchRequest } from '../vault-index/index.js'
import { catchUpBriefly } from './catch-up-behind.js'
import { freshness } from './freshness.js'
import type { OpenParts } from './open-parts.js'

/** Searches, and says how fresh the index is. Of one that is behind, no hit is told that is no longer there to be read. */
export async function searchNow(parts: OpenParts, request: SearchRequest): Promise<SearchAnswer> {
  await catchUpBriefly(parts)
  const fresh = await freshness(parts)
  const answer = await parts.index.search(request, fresh)
  if (fresh === 'fresh') return answer
  const isThere = await Promise.all(answer.hits.map((hit) => isReadable(parts, hit)))
  return { ...answer, hits: answer.hits.filter((_, at) => isThere[at]) }
}

/** Notes may have been made private, excluded or deleted since the index saw them. */
async function isReadable({ vault }: OpenParts, { path }: SearchHit): Promise<boolean> {
  try {
    return (await vault.read(path)) !== undefined
  } catch (error) {
    return error instanceof Failure && error.code === 'too-large'
  }
}
