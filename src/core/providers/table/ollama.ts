import { isRecord } from '../../is-record.js'
import type { EmbeddingModelV3 } from '../../model/index.js'
import { ollamaHost } from '../addresses.js'
import { defaultWindow } from '../model-window.js'
import { ollamaModel } from '../ollama-chat.js'
import { chatModel } from '../openai-compatible.js'
import { bearer, idsInData, type Provider, type ProviderConnection, type ServerWindow } from '../provider.js'
import { responseError } from '../server-response.js'
import { ollamaSizes } from '../server-window.js'

export const ollama: Provider = {
  id: 'ollama',
  name: 'Ollama',
  key: { environment: ['OLLAMA_API_KEY'], required: false },
  address: { environment: ['OLLAMA_HOST'], standard: 'http://127.0.0.1:11434/v1', read: ollamaHost },
  files: ['image'],
  unreachableHint: 'Start it with: ollama serve.',
  modelHint: (modelId) => `Download it with: ollama pull ${modelId}.`,
  embeddings: async (connection) => (modelId) => ollamaEmbeddings(modelId, connection),
  load: async (connection) => (modelId) => ollamaModel(modelId, connection, chatModel('ollama', modelId, connection)),
  window: ollamaWindow,
  modelIds: idsInData,
  listHeaders: bearer,
}

/**
 * Ollama loads a model with the size a request asks for, so this is a choice: the user's, the Modelfile's, or the
 * larger of the default and the loaded size; never more than the model supports.
 */
async function ollamaWindow(
  modelId: string,
  connection: ProviderConnection,
  wanted?: number,
): Promise<ServerWindow | undefined> {
  const sizes = await ollamaSizes(modelId, connection)
  if (sizes === undefined) return undefined
  const { loaded, inModelfile, most } = sizes
  const chosen = wanted ?? inModelfile ?? Math.max(defaultWindow, loaded ?? 0)
  return { tokens: Math.min(chosen, most ?? chosen) }
}

/** Ollama's own endpoint, which truncates a text that is too long for the model instead of refusing it. */
function ollamaEmbeddings(modelId: string, { baseUrl, key, fetch }: ProviderConnection): EmbeddingModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'ollama',
    modelId,
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: false,
    async doEmbed({ values, abortSignal }) {
      const response = await fetch(`${baseUrl.replace(/\/v1$/, '')}/api/embed`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(key?.reveal()) },
        body: JSON.stringify({ model: modelId, input: values, truncate: true }),
        signal: abortSignal as never,
      })
      if (!response.ok) throw await responseError(response)
      const body: unknown = JSON.parse(await response.text())
      const embeddings = isRecord(body) && Array.isArray(body.embeddings) ? (body.embeddings as number[][]) : []
      return { embeddings, warnings: [] }
    },
  }
}
