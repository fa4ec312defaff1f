import { Failure } from '../../errors.js'
import type { OpenIndex } from '../catch-up.js'
import { copyState, stateMeta } from '../index-state.js'
import { type Embedder, embedQuery, type QueryVector } from '../semantic/index.js'
import { blobsOf } from './embedding-state.js'

/** A query as the provider's model sees it, or what to say of an answer that had to do without. */
interface AskedVector {
  vector?: QueryVector
  notice?: string
}

/** What has been asked of the provider lately. */
export interface QueryVectors {
  ask(index: Pick<OpenIndex, 'store' | 'view'>, embedder: Embedder, query: string): Promise<AskedVector>
}

/** A provider that is slow or away costs its part of the ranking, never the answer. */
const patienceMs = 3000
/** After a failure nobody waits for it again so soon. */
const awayMs = 30_000
const mostKept = 64

export function queryVectors(): QueryVectors {
  const known = new Map<string, QueryVector>()
  let away: { until: number; notice: string } | undefined

  async function asked(embedder: Embedder, query: string): Promise<AskedVector> {
    const kept = known.get(query)
    if (kept !== undefined) return { vector: kept }
    if (away !== undefined && performance.now() < away.until) return { notice: away.notice }
    try {
      const vector = await inTime(embedder, query)
      if (known.size >= mostKept) known.clear()
      known.set(query, vector)
      return { vector }
    } catch (error) {
      const notice = `Found without ${embedder.id}: ${reason(error)}`
      away = { until: performance.now() + awayMs, notice }
      return { notice }
    }
  }

  return {
    async ask({ store, view }, embedder, query) {
      // Where no note has a vector of this model there is nothing to compare with, and nothing is sent.
      const { embedding } = view.state
      if (embedding?.id !== embedder.id || !view.segments.some(({ embedded }) => embedded?.model === embedding.id)) {
        return {}
      }
      const answer = await asked(embedder, query)
      if (answer.vector === undefined || answer.vector.dimension === embedding.dimension) return answer
      known.clear()
      await forgetVectors({ store, view })
      return {
        notice: `Found without ${embedder.id}: it is another model than the one that made the vectors of your notes. They are made anew with the index.`,
      }
    },
  }
}

async function inTime(embedder: Embedder, query: string): Promise<QueryVector> {
  const late = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const gaveUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      late.abort()
      reject(new Failure('network', `it did not answer within ${patienceMs / 1000} seconds.`))
    }, patienceMs)
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
