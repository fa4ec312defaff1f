import type { Failure } from '../errors.js'
import type { FileKind } from '../files.js'
import type { EmbeddingModelV3, LanguageModelV3 } from '../model/index.js'
import type { Secret } from './secrets.js'

/** A function with the signature of `fetch`. */
export type Fetch = typeof fetch
/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** One entry of the provider table: everything that differs between providers. */
export interface Provider {
  /** As in `-m openai/gpt-5`. */
  id: string
  /** The name shown to users. */
  name: string
  key?: {
    /** The first variable that is set wins. */
    environment: readonly string[]
    /** False for local and self-hosted servers. */
    required: boolean
    /** The page where users create a key. */
    from?: string
  }
  address: {
    environment: readonly string[]
    /** Undefined: no default, the user must set it. */
    standard?: string
    /** Turns the user's text into the base URL the package needs. `name` is the variable it came from. */
    read(text: string, name: string): string
  }
  /** Hint for an address where nothing answers. */
  unreachableHint: string
  /** Hint for an unknown model, besides listing the models. */
  modelHint?(modelId: string): string
  /** Loads the provider's package on first use. */
  load(connection: ModelConnection): Promise<(modelId: string) => LanguageModelV3>
  /** Loads its embedding models. Absent: it has none. */
  embeddings?(connection: ProviderConnection): Promise<(modelId: string) => EmbeddingModelV3>
  /** File kinds it can be sent besides text; a model may accept fewer. */
  files: readonly FileKind[]
  /** Asks the server for a model's context size, if it can report it. `wanted` is the user's setting. */
  window?(modelId: string, connection: ProviderConnection, wanted?: number): Promise<ServerWindow | undefined>
  /** How to enlarge the context, if it takes more than a setting of ours. `{tokens}` stands for the size. */
  windowHint?(modelId: string): string
  /** Reads the ids from the response to `GET {address}/models`. */
  modelIds(body: unknown): string[]
  listHeaders(key: string | undefined): Record<string, string>
}

export type EmbeddingProvider = Provider & Required<Pick<Provider, 'embeddings'>>

export const servesEmbeddings = (provider: Provider): provider is EmbeddingProvider => provider.embeddings !== undefined

export interface ProviderConnection {
  baseUrl: string
  key?: Secret | undefined
  fetch: Fetch
}

export interface ModelConnection extends ProviderConnection {
  /** Context size of the opened model, found on first use. */
  window(): Promise<ModelWindow>
}

/** Context size in tokens, for a conversation and its answer, and where the number comes from. */
export interface ModelWindow {
  tokens: number
  from: 'server' | 'setting' | 'profile' | 'unknown'
  /** How to enlarge it; `{tokens}` stands for the size. */
  hint: string
}

/** A model's context size as the server reports it. */
export interface ServerWindow {
  tokens: number
  /** The model is not loaded yet and the size may change: the next turn asks again. */
  isProvisional?: true
}

/**
 * The signal of one request, which the packages pass to fetch unchanged. A failing byte stream would drop everything a
 * package has read but not yet passed on, so the stream is closed quietly and the failure is stored here.
 */
export interface RequestSignal extends AbortSignal {
  brokenBy?: Failure
}

/** Reads `{data: [{id}]}`, the format of nearly every server. */
export function idsInData(body: unknown): string[] {
  const data = (body as { data?: unknown } | null)?.data
  const items: unknown[] = Array.isArray(data) ? data : []
  return items.map((item) => (item as { id?: unknown } | null)?.id).filter((id) => typeof id === 'string')
}

export const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { Authorization: `Bearer ${key}` }

/** Hints about models in the words of the current front end: commands, or the settings of an app. */
export interface Advice {
  key(provider: Provider): string
  /** Without a final period, since the sentence may continue. */
  address(provider: Provider): string
  models(provider: Provider): string
  /** How to give a setting this value. */
  setting(name: string, value: string): string
}

export const commandLineAdvice: Advice = {
  // Asked for only for providers that have keys.
  key: ({ id, key }) => `Add an API key: notewright keys set ${id}, or set ${key!.environment[0]}.`,
  address: ({ address }) => `set ${address.environment[0]} to its base URL`,
  models: () => 'List the available models: notewright models --probe',
  setting: (name, value) => `notewright config set ${name} ${value}`,
}
