// The context size of a model as its server reports it. Each kind of server has its own endpoint and its own field.

import { isRecord } from '../is-record.js'
import { findModelEntry, queryServer, serverRoot, tokenCount } from './model-window.js'
import type { ProviderConnection, ServerWindow } from './provider.js'

/**
 * Fields of a model in a list of models: the size in use first, then the largest possible one. vLLM has
 * `max_model_len`, OpenRouter and Together `context_length`, Groq `context_window`, Mistral `max_context_length`.
 */
const sizeFields = [
  'loaded_context_length',
  'max_model_len',
  'context_window',
  'context_length',
  'max_context_length',
  'max_input_tokens',
] as const

function listedSize(list: unknown, modelId: string): number | undefined {
  const entry = findModelEntry(list, modelId)
  for (const field of sizeFields) {
    const tokens = tokenCount(entry?.[field])
    if (tokens !== undefined) return tokens
  }
  return undefined
}

const asWindow = (tokens: number | undefined): ServerWindow | undefined =>
  tokens === undefined ? undefined : { tokens }

/** From the list of models that nearly every server has. */
export async function listedWindow(
  modelIds: readonly string[],
  connection: ProviderConnection,
): Promise<ServerWindow | undefined> {
  const list = await queryServer(connection, `${connection.baseUrl}/models`)
  for (const id of modelIds) {
    const tokens = listedSize(list, id)
    if (tokens !== undefined) return { tokens }
  }
  return undefined
}

/** The size at any server with OpenAI's API, from its list, llama.cpp's properties, then the endpoints of LM Studio and Ollama. */
export async function windowOfAnyServer(
  modelId: string,
  connection: ProviderConnection,
): Promise<ServerWindow | undefined> {
  const [listed, inUse] = await Promise.all([
    listedWindow([modelId], connection),
    queryServer(connection, `${serverRoot(connection.baseUrl)}/props`).then(sizeInProperties),
  ])
  const found = asWindow(inUse) ?? listed
  if (found !== undefined) return found
  const [ofLmStudio, ofOllama] = await Promise.all([
    lmStudioWindow(modelId, connection),
    ollamaSizes(modelId, connection),
  ])
  if (ofLmStudio !== undefined || ofOllama === undefined) return ofLmStudio
  const { loaded, inModelfile, most } = ofOllama
  // This API of Ollama has no field for the size, so a model that is not loaded gets the default.
  if (loaded !== undefined) return { tokens: loaded }
  return { tokens: Math.min(inModelfile ?? usualSize, most ?? usualSize), isProvisional: true }
}

/** The size that LM Studio and Ollama give to models that a request makes them load. */
const usualSize = 4096

const sizeInProperties = (properties: unknown): number | undefined =>
  tokenCount(
    (properties as { default_generation_settings?: { n_ctx?: unknown } } | null | undefined)
      ?.default_generation_settings?.n_ctx,
  )

/** Both APIs of LM Studio, the older and the newer, report the size of a loaded model; for others only the maximum. */
export async function lmStudioWindow(
  modelId: string,
  connection: ProviderConnection,
): Promise<ServerWindow | undefined> {
  const root = serverRoot(connection.baseUrl)
  const [older, newer] = await Promise.all([
    queryServer(connection, `${root}/api/v0/models`),
    queryServer(connection, `${root}/api/v1/models`),
  ])
  const entry = findModelEntry(older, modelId)
  const model = newerEntry(newer, modelId)
  const loaded =
    tokenCount(entry?.loaded_context_length) ?? tokenCount(model?.loaded_instances?.[0]?.config?.context_length)
  if (loaded !== undefined) return { tokens: loaded }
  const most = listedSize(older, modelId) ?? tokenCount(model?.max_context_length)
  return most === undefined ? undefined : { tokens: Math.min(most, usualSize), isProvisional: true }
}

interface NewerEntry {
  key?: unknown
  max_context_length?: unknown
  loaded_instances?: readonly { id?: unknown; config?: { context_length?: unknown } }[]
}

function newerEntry(body: unknown, modelId: string): NewerEntry | undefined {
  const models = (body as { models?: unknown } | null | undefined)?.models
  if (!Array.isArray(models)) return undefined
  return (models as NewerEntry[]).find(
    (model) => model?.key === modelId || model?.loaded_instances?.some(({ id }) => id === modelId),
  )
}

interface OllamaSizes {
  /** The size it is loaded with now. */
  loaded?: number | undefined
  /** Chosen by the model's author. */
  inModelfile?: number | undefined
  /** The size the model was trained for. */
  most?: number | undefined
}

/** The sizes that Ollama reports for a model; undefined if it does not know it. */
export async function ollamaSizes(modelId: string, connection: ProviderConnection): Promise<OllamaSizes | undefined> {
  const root = serverRoot(connection.baseUrl)
  const [shown, running] = await Promise.all([
    queryServer(connection, `${root}/api/show`, { model: modelId }),
    queryServer(connection, `${root}/api/ps`),
  ])
  const { model_info: info, parameters } = isRecord(shown) ? shown : {}
  if (!isRecord(info)) return undefined
  return {
    loaded: loadedSize(running, modelId),
    inModelfile: sizeInModelfile(parameters),
    most: tokenCount(Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1]),
  }
}

/** Reads `num_ctx 16384` from the Modelfile's parameters. */
function sizeInModelfile(parameters: unknown): number | undefined {
  const [, number] = /^num_ctx\s+"?(\d+)/m.exec(typeof parameters === 'string' ? parameters : '') ?? []
  return tokenCount(Number(number))
}

interface RunningModel {
  name?: unknown
  model?: unknown
  context_length?: unknown
}

function loadedSize(running: unknown, modelId: string): number | undefined {
  const models = (running as { models?: unknown } | null | undefined)?.models
  if (!Array.isArray(models)) return undefined
  const name = modelId.includes(':') ? modelId : `${modelId}:latest`
  const loaded = (models as (RunningModel | null)[]).find((model) => model?.name === name || model?.model === name)
  return tokenCount(loaded?.context_length)
}
