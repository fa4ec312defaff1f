import { Failure } from '../errors.js'
import {
  type EmbeddingModelV3,
  linkedAbort,
  type ModelContext,
  modelFailureData,
  modelFailureFrom,
  wait,
} from '../model/index.js'
import { isLoopback } from './addresses.js'
import { findKey, findProvider, requireAddress, splitModelName } from './connect.js'
import type { OpenModelOptions } from './open-model.js'
import { type EmbeddingProvider, type Environment, type RequestSignal, servesEmbeddings } from './provider.js'
import { defaultStallMs, type OutgoingRequest, providerFetch } from './provider-fetch.js'
import { providers } from './table/index.js'

// Embeddings of a provider: the recipient of the text, the terms the user agrees to, and the requests.

interface EmbedderOptions extends Pick<OpenModelOptions, 'environment' | 'fetch' | 'keys' | 'stallMs'> {
  /** True if the user has agreed. Checked before every embedding; without consent nothing is sent. */
  mayBeSent(): Promise<boolean>
  retrying?: RetryLimits
  /** Called before every request leaves, with the notes whose text it contains. */
  onRequest?(request: OutgoingRequest, notes: string[]): Promise<void>
}

/** Implements the index's `Embedder` port: one vector per text, in order. */
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

/** Texts and the notes they come from, in the same order. */
interface Batch {
  texts: string[]
  notes: readonly string[]
}

/** Batch sizes. A local server handles one text at a time, and results should be stored soon. */
const [localBatch, remoteBatch] = [16, 64]

/** After this many refused texts in a row, the texts are not the problem. */
const maxRefused = 3

/** Opens a provider's embedding model. Its package is loaded and its key looked up on first use. */
export function openEmbedder(recipient: Recipient, options: EmbedderOptions): OpenedEmbedder {
  let loading: Promise<LoadedModel> | undefined
  let refused = 0
  let lastRefusal: unknown

  /** Batches being sent. A request is matched to its batch by the first text in it. */
  const underway = new Set<Batch>()
  const logRequest = async (request: OutgoingRequest) => {
    const sent = [...underway].filter(({ texts }) => request.body.includes(JSON.stringify(texts[0]).slice(1, -1)))
    await options.onRequest?.(request, [...new Set(sent.flatMap(({ notes }) => notes))])
  }

  async function embedOnce(batch: Batch, as: 'query' | 'passage', signal: AbortSignal): Promise<Float32Array[]> {
    const { texts } = batch
    loading ??= loadModel(recipient, options, logRequest)
    const loaded = await loading.catch((error) => {
      loading = undefined
      throw error
    })
    const values = texts.map((text) => withInstruction(recipient.modelId, as, text))
    underway.add(batch)
    try {
      return await retryRateLimited(() => requestVectors(loaded, values, as, signal), signal, options.retrying)
    } finally {
      underway.delete(batch)
    }
  }

  /** A text that the model refuses must not block the others: it is shortened, and left out if that does not help. */
  async function embedBatch(batch: Batch, as: 'query' | 'passage', signal: AbortSignal): Promise<Float32Array[]> {
    const { texts, notes } = batch
    const part = (from: number, to?: number): Batch => ({ texts: texts.slice(from, to), notes: notes.slice(from, to) })
    try {
      const vectors = await embedOnce(batch, as, signal)
      refused = 0
      return vectors
    } catch (error) {
      if (as === 'query' || !isAboutText(error) || refused >= maxRefused) throw error
      if (texts.length > 1) {
        const half = texts.length >> 1
        const first = await embedBatch(part(0, half), as, signal)
        return [...first, ...(await embedBatch(part(half), as, signal))]
      }
      const [text = ''] = texts
      if (text.length > shortestText) {
        return embedBatch({ texts: [text.slice(0, text.length >> 1)], notes }, as, signal)
      }
      refused++
      lastRefusal = error
      return [new Float32Array(0)]
    }
  }

  return {
    id: recipient.model,
    maxBatch: recipient.isHere ? localBatch : remoteBatch,
    async embed(texts, as, signal, notes = []) {
      if (!(await options.mayBeSent())) throw consentFailure(recipient)
      const vectors = sameLength(await embedBatch({ texts, notes }, as, signal))
      if (vectors.every(({ length }) => length === 0)) throw lastRefusal
      return vectors
    },
  }
}

/** A text of this length is not shortened further. */
const shortestText = 400

/** A text that was left out gets a vector of zeros. */
function sameLength(vectors: Float32Array[]): Float32Array[] {
  const length = Math.max(...vectors.map((vector) => vector.length))
  return vectors.map((vector) => (vector.length === 0 ? new Float32Array(length) : vector))
}

function isAboutText(error: unknown): boolean {
  const kind = modelFailureData(error)?.kind
  return kind === 'context' || kind === 'rejected'
}

export function consentFailure({ provider, host }: Recipient): Failure {
  return new Failure(
    'needs-approval',
    `${provider.name} (${host}) is not used yet, because you have not approved sending passages to it.`,
    {
      hint: 'Update the index in a terminal to be asked. For scripts, set embeddings.sendTo.',
      command: `notewright config set embeddings.sendTo ${host}`,
    },
  )
}

interface LoadedModel {
  model: EmbeddingModelV3
  context: ModelContext
}

async function loadModel(
  { provider, modelId, baseUrl }: Recipient,
  options: EmbedderOptions,
  logRequest: (request: OutgoingRequest) => Promise<void>,
): Promise<LoadedModel> {
  const { environment, fetch, keys, stallMs = defaultStallMs } = options
  const { key, context } = await findKey(provider, { modelId, baseUrl, environment, keys })
  const log = { about: { provider: provider.id, model: modelId }, write: logRequest }
  const load = await provider.embeddings({ baseUrl, key, fetch: providerFetch(fetch, { stallMs, context, log }) })
  return { model: load(modelId), context }
}

async function requestVectors(
  { model, context }: LoadedModel,
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
    throw (signal as RequestSignal).brokenBy ?? modelFailureFrom(error, context)
  } finally {
    release()
  }
}

/** The provider and model that would receive passages of notes. */
export interface Recipient {
  provider: EmbeddingProvider
  modelId: string
  /** `openai/text-embedding-3-small`. */
  model: string
  baseUrl: string
  /** `api.openai.com`: the host the user agrees to. */
  host: string
  /** Runs on this machine: nothing leaves it. */
  isHere: boolean
}

/** Throws if the name is not `provider/model`, or if the provider has no embeddings. */
export function embeddingModel(name: string): { provider: EmbeddingProvider; modelId: string } {
  const { provider: id, modelId } = splitModelName(name)
  const provider = findProvider(id)
  if (!servesEmbeddings(provider)) {
    const others = providers.filter(servesEmbeddings).map((other) => other.id)
    throw new Failure('invalid-input', `${provider.name} has no embeddings models.`, {
      hint: `Set embeddings.model to a model from ${others.join(', ')}, like ollama/nomic-embed-text.`,
    })
  }
  return { provider, modelId }
}

/** Also throws if the address is missing. Connects to nothing. */
export function recipientOf(name: string, environment: Environment): Recipient {
  const { provider, modelId } = embeddingModel(name)
  const baseUrl = requireAddress(provider, environment)
  const { host } = new URL(baseUrl)
  return {
    provider,
    modelId,
    model: `${provider.id}/${modelId}`,
    baseUrl,
    host,
    isHere: isLoopback(baseUrl) && !isCloudModel(modelId),
  }
}

/** Ollama forwards its cloud models, wherever it runs. */
const isCloudModel = (modelId: string): boolean => /[-:]cloud$/.test(modelId)

/** The text a user agrees to: the amount sent, the recipient, and the text that is never sent. */
export function consentWords(
  { provider, model, host, isHere }: Recipient,
  { notes, passages }: { notes: number; passages: number },
): string {
  const much = `the text of ${counted(notes, 'note')} (${counted(passages, 'passage')})`
  const whom = `${provider.name} (${host})`
  const never = 'Private notes, excluded notes and notes that a rule hides are never sent.'
  if (isHere) {
    return `To compute embeddings with ${model}, ${much} is sent to ${whom} on this computer, and later also changed notes and your searches. Nothing is sent to another computer. ${never}`
  }
  return `To compute embeddings with ${model}, ${much} is sent to ${whom}, and later also changed notes and your searches. ${never}`
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`

/** Prefixes a model was trained with, which tell a query from a passage. */
interface Instructions {
  model: RegExp
  query: string
  passage: string
}

// From the model cards. Models that are not listed get texts without a prefix.
const knownInstructions: readonly Instructions[] = [
  { model: /nomic-embed/, query: 'search_query: ', passage: 'search_document: ' },
  { model: /(^|[^a-z0-9])e5-|multilingual-e5/, query: 'query: ', passage: 'passage: ' },
  { model: /embeddinggemma|embedding-gemma/, query: 'task: search result | query: ', passage: 'title: none | text: ' },
  {
    model: /mxbai-embed|arctic-embed|bge-(small|base|large)-en/,
    query: 'Represent this sentence for searching relevant passages: ',
    passage: '',
  },
  {
    model: /qwen3-embedding/,
    query: 'Instruct: Given a question, retrieve passages that answer it\nQuery: ',
    passage: '',
  },
]

function withInstruction(modelId: string, as: 'query' | 'passage', text: string): string {
  const name = modelId.toLowerCase()
  const found = knownInstructions.find(({ model }) => model.test(name))
  return found === undefined ? text : `${found[as]}${text}`
}

interface RetryLimits {
  tries: number
  firstWaitMs: number
  longestWaitMs: number
}

/** Embedding runs in the background, so a provider that asks to slow down gets the time it asks for. */
const defaultRetry: RetryLimits = { tries: 6, firstWaitMs: 1000, longestWaitMs: 120_000 }

/** Retries failures that a retry may help, after the wait the provider asks for, or with growing waits. */
async function retryRateLimited<T>(
  act: () => Promise<T>,
  signal: AbortSignal,
  { tries, firstWaitMs, longestWaitMs }: RetryLimits = defaultRetry,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      const data = modelFailureData(error)
      const asked = data?.retryAfterMs
      if (!data?.retryable || attempt >= tries || (asked ?? 0) > longestWaitMs) throw error
      // Jitter: clients with the same retry time should not all return at once.
      const backOff = firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)
      await wait(asked ?? Math.min(longestWaitMs, backOff), signal)
    }
  }
}
