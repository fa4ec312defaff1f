import { Failure } from '../../errors.js'
import {
  type EmbeddingModelV3,
  failureFrom,
  linkedAbort,
  type ModelContext,
  modelFailureData,
} from '../../model/index.js'
import { announcedFetch, type OutgoingRequest } from '../announced-fetch.js'
import { environmentKeys, missingKey, modelContext } from '../connect.js'
import { type OpenOptions, usualStallMs } from '../open-model.js'
import type { RequestSignal } from '../provider.js'
import { watchedFetch } from '../watched-fetch.js'
import { instructed } from './instructions.js'
import { patiently, type Retrying } from './patiently.js'
import type { Recipient } from './recipient.js'

export interface EmbedderOptions extends Pick<OpenOptions, 'environment' | 'fetch' | 'keys' | 'stallMs'> {
  /** Whether the person has agreed. Asked before every request: without it nothing is sent. */
  mayBeSent(): Promise<boolean>
  retrying?: Retrying
  /** Told of every request before it leaves, with the notes whose text is in it. */
  onRequest?(request: OutgoingRequest, notes: string[]): Promise<void>
}

/** One vector per text, in order; fills the port of the index. */
export interface OpenedEmbedder {
  readonly id: string
  readonly maxBatch: number
  embed(
    texts: string[],
    as: 'query' | 'passage',
    signal: AbortSignal,
    notes?: readonly string[],
  ): Promise<Float32Array[]>
}

/** Texts, and the notes they are from, in the same order. */
interface Batch {
  texts: string[]
  notes: readonly string[]
}

/** A server of the person's own works on one text at a time; what is kept in between should not be long in coming. */
const [batchHere, batchAway] = [16, 64]

/** So many texts in a row that a model refuses are no longer the fault of the texts. */
const mostRefused = 3

/** A provider's model that makes embeddings. Its package is loaded and its key looked up when it is first needed. */
export function openEmbedder(recipient: Recipient, options: EmbedderOptions): OpenedEmbedder {
  let opening: Promise<Opened> | undefined
  let refused = 0
  let lastRefusal: unknown

  /** What is on its way: a request is known by the words in it. */
  const underway = new Set<Batch>()
  const tell = async (request: OutgoingRequest) => {
    const inIt = [...underway].filter(({ texts }) => request.body.includes(JSON.stringify(texts[0]).slice(1, -1)))
    await options.onRequest?.(request, [...new Set(inIt.flatMap(({ notes }) => notes))])
  }

  async function ask(batch: Batch, as: 'query' | 'passage', signal: AbortSignal): Promise<Float32Array[]> {
    const { texts } = batch
    opening ??= open(recipient, options, tell)
    const opened = await opening.catch((error) => {
      opening = undefined
      throw error
    })
    const values = texts.map((text) => instructed(recipient.modelId, as, text))
    underway.add(batch)
    try {
      return await patiently(() => request(opened, values, as, signal), signal, options.retrying)
    } finally {
      underway.delete(batch)
    }
  }

  /** One text that a model cannot take must not keep all others from it: it is cut, and left out when that does not help. */
  async function askAll(batch: Batch, as: 'query' | 'passage', signal: AbortSignal): Promise<Float32Array[]> {
    const { texts, notes } = batch
    const part = (from: number, to?: number): Batch => ({ texts: texts.slice(from, to), notes: notes.slice(from, to) })
    try {
      const vectors = await ask(batch, as, signal)
      refused = 0
      return vectors
    } catch (error) {
      if (as === 'query' || !isAboutText(error) || refused >= mostRefused) throw error
      if (texts.length > 1) {
        const half = texts.length >> 1
        const first = await askAll(part(0, half), as, signal)
        return [...first, ...(await askAll(part(half), as, signal))]
      }
      if (texts[0].length > shortest) {
        return askAll({ texts: [texts[0].slice(0, texts[0].length >> 1)], notes }, as, signal)
      }
      refused++
      lastRefusal = error
      return [new Float32Array(0)]
    }
  }

  return {
    id: recipient.model,
    maxBatch: recipient.isHere ? batchHere : batchAway,
    async embed(texts, as, signal, notes = []) {
      if (!(await options.mayBeSent())) throw notAgreed(recipient)
      const vectors = sameLength(await askAll({ texts, notes }, as, signal))
      if (vectors.every(({ length }) => length === 0)) throw lastRefusal
      return vectors
    },
  }
}

const shortest = 400

/** The vector of a text that was left out is zeros, as many as the others have. */
function sameLength(vectors: Float32Array[]): Float32Array[] {
  const length = Math.max(...vectors.map((vector) => vector.length))
  return vectors.map((vector) => (vector.length === 0 ? new Float32Array(length) : vector))
}

function isAboutText(error: unknown): boolean {
  const kind = modelFailureData(error)?.kind
  return kind === 'context' || kind === 'rejected'
}

export function notAgreed({ provider, host }: Recipient): Failure {
  return new Failure('needs-approval', `Nothing is sent to ${provider.name} (${host}) before you agree.`, {
    hint: 'Making the index at a terminal asks you. For scripts there is the setting embeddings.sendTo.',
    command: `notewright config set embeddings.sendTo ${host}`,
  })
}

interface Opened {
  model: EmbeddingModelV3
  context: ModelContext
}

async function open(
  { provider, modelId, baseUrl }: Recipient,
  options: EmbedderOptions,
  tell: (request: OutgoingRequest) => Promise<void>,
): Promise<Opened> {
  const { environment, fetch, keys = environmentKeys(environment), stallMs = usualStallMs } = options
  const key = await keys(provider)
  const context = modelContext(provider, modelId, baseUrl, key === undefined ? [] : [key.reveal()])
  if (provider.key?.required && key === undefined) throw missingKey(provider, context)
  const told = announcedFetch(fetch, { provider: provider.id, model: modelId }, tell)
  const load = await provider.embeddings({ baseUrl, key, fetch: watchedFetch(told, { stallMs, context }) })
  return { model: load(modelId), context }
}

async function request(
  { model, context }: Opened,
  values: string[],
  as: 'query' | 'passage',
  outer: AbortSignal,
): Promise<Float32Array[]> {
  const { signal, release } = linkedAbort(outer)
  try {
    const taskType = as === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT'
    const providerOptions = { google: { taskType } }
    const { embeddings } = await model.doEmbed({ values, abortSignal: signal, providerOptions })
    return embeddings.map((embedding) => Float32Array.from(embedding))
  } catch (error) {
    outer.throwIfAborted()
    throw (signal as RequestSignal).brokenBy ?? failureFrom(error, context)
  } finally {
    release()
  }
}
