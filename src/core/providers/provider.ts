import type { Failure } from '../errors.js'
import type { FileKind } from '../files/index.js'
import type { EmbeddingModelV3, LanguageModelV3 } from '../model/index.js'
import type { Secret } from './secret.js'
import type { ModelWindow, ToldWindow } from './window/model-window.js'

export type Fetch = typeof fetch
export type Environment = Readonly<Record<string, string | undefined>>

/** One entry of the table: all that differs from provider to provider. */
export interface Provider {
  /** As in `-m openai/gpt-5`. */
  id: string
  /** As a person sees it. */
  name: string
  key?: {
    /** The first that is set counts. */
    environment: readonly string[]
    /** A local or self-made server may do without. */
    required: boolean
    /** Where a person gets one. */
    from?: string
  }
  address: {
    environment: readonly string[]
    /** Undefined: there is none until someone names it. */
    standard?: string
    /** Makes what a person wrote into what the package needs. `name` is the variable it came from. */
    read(text: string, name: string): string
  }
  /** What to do when nobody answers at the address. */
  unreachableHint: string
  /** What to do when there is no such model, besides looking which there are. */
  modelHint?(modelId: string): string
  /** Loads the provider's package, only now. */
  load(connection: ModelConnection): Promise<(modelId: string) => LanguageModelV3>
  /** The same for models that make vectors of texts. Absent: it has none. */
  embeddings?(connection: Connection): Promise<(modelId: string) => EmbeddingModelV3>
  /** What can be sent to it besides text; a model may take less. */
  files: readonly FileKind[]
  /** Asks the server how much room it gives a model, where it can say. `wanted`: what the person says. */
  window?(modelId: string, connection: Connection, wanted?: number): Promise<ToldWindow | undefined>
  /** How a person makes more room, where it takes more than a setting of ours. `{tokens}` stands for how much. */
  windowHint?(modelId: string): string
  /** Reads the ids out of the answer to `GET {address}/models`. */
  modelIds(body: unknown): string[]
  listHeaders(key: string | undefined): Record<string, string>
}

export type EmbeddingProvider = Provider & Required<Pick<Provider, 'embeddings'>>

export const servesEmbeddings = (provider: Provider): provider is EmbeddingProvider => provider.embeddings !== undefined

export interface Connection {
  baseUrl: string
  key?: Secret
  fetch: Fetch
}

export interface ModelConnection extends Connection {
  /** How much room the model that is opened has, asked for when it is first needed. */
  window(): Promise<ModelWindow>
}

/**
 * The signal of one request, which the packages hand on to fetch as it is. A byte stream that fails takes with it
 * everything a package has read but not yet handed on, so it is ended quietly, and how it broke is left here.
 */
export interface RequestSignal extends AbortSignal {
  brokenBy?: Failure
}

/** `{data: [{id}]}`, as nearly everyone answers. */
export function idsInData(body: unknown): string[] {
  const data = (body as { data?: unknown } | null)?.data
  const items: unknown[] = Array.isArray(data) ? data : []
  return items.map((item) => (item as { id?: unknown } | null)?.id).filter((id) => typeof id === 'string')
}

export const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { Authorization: `Bearer ${key}` }
