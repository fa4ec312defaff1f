import { isRecord } from '../../is-record.js'
import type { EmbeddingModelV3 } from '../../model/index.js'
import { bearer, type Connection } from '../provider.js'
import { refusedBy } from '../refused-by.js'

/** Ollama's own way, which cuts a text that is too long for the model instead of refusing it. */
export function ollamaEmbeddings(modelId: string, { baseUrl, key, fetch }: Connection): EmbeddingModelV3 {
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
      if (!response.ok) throw await refusedBy(response)
      const body: unknown = JSON.parse(await response.text())
      const embeddings = isRecord(body) && Array.isArray(body.embeddings) ? (body.embeddings as number[][]) : []
      return { embeddings, warnings: [] }
    },
  }
}
