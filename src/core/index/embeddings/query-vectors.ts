import { Failure } from '../../errors.js'
import { blobsOf, copyState, stateMeta } from '../index-state.js'
import type { OpenIndex } from '../index-view.js'
import { type Embedder, embedQuery } from '../semantic/embedder.js'
import type { QueryVector } from '../semantic/vector-block.js'

/** The query's vector, or a notice for results without it. */
interface QueryVectorAnswer {
  vector?: QueryVector
  notice?: string
}

/** Cache of query vectors. */
export interface QueryVectors {
  ask(index: Pick<OpenIndex, 'store' | 'view'>, embedder: Embedder, query: string): Promise<QueryVectorAnswer>
}

/** A slow or unavailable provider affects only its part of the ranking. */
const timeoutMs = 3000
/** After a failure the provider is not asked again for this long. */
const retryAfterMs = 30_000
const cacheSize = 64

export function queryVectors(): QueryVectors {
  const known = new Map<string, QueryVector>()
  let away: { until: number; notice: string } | undefined

  async function asked(embedder: Embedder, query: string): Promise<QueryVectorAnswer> {
    const kept = known.get(query)
    if (kept !== undefined) return { vector: kept }
    if (away !== undefined && performance.now() < away.until) return { notice: away.notice }
    try {
      const vector = await embedWithTimeout(embedder, query)
      if (known.size >= cacheSize) known.clear()
      known.set(query, vector)
      return { vector }
    } catch (error) {
      const notice = `Searched without ${embedder.id}: ${reason(error)}`
      away = { until: performance.now() + retryAfterMs, notice }
      return { notice }
    }
  }

  return {
    async ask({ store, view }, embedder, query) {
      // Nothing is sent if no note has a vector of this model.
      const { embedding } = view.state
      if (embedding?.id !== embedder.id || !view.segments.some(({ embedded }) => embedded?.model === embedding.id)) {
        return {}
      }
      const answer = await asked(embedder, query)
      if (answer.vector === undefined || answer.vector.dimension === embedding.dimension) return answer
      known.clear()
      await forgetVectors({ store, view })
      return {
        notice: `Searched without ${embedder.id}: the vectors of your notes come from another model. Update the index to compute new ones.`,
      }
    },
  }
}

async function embedWithTimeout(embedder: Embedder, query: string): Promise<QueryVector> {
  const late = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const gaveUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      late.abort()
      reject(new Failure('network', `it did not answer within ${timeoutMs / 1000} seconds.`))
    }, timeoutMs)
  })
  try {
    return await Promise.race([embedQuery(embedder, query, late.signal), gaveUp])
  } finally {
    clearTimeout(timer)
  }
}

function reason(error: unknown): string {
  if (error instanceof Failure) return [error.message, error.details.hint].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : 'it failed.'
}

async function forgetVectors({ store, view }: Pick<OpenIndex, 'store' | 'view'>): Promise<void> {
  const state = copyState(view.state)
  const remove = blobsOf(state.embedding)
  delete state.embedding
  await store.commit({ expect: view.generation, blobs: { remove }, meta: stateMeta(state) })
}
