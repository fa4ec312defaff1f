import { isRecord } from '../../is-record.js'
import type { EmbeddingModelV3 } from '../../model/index.js'
import { bearer, type Connection } from '../provider.js'
import { refusedBy } from '../refused-by.js'

/** As OpenAI serves them, and nearly everyone after it. */
export function compatibleEmbeddings(
  name: string,
  modelId: string,
  { baseUrl, key, fetch }: Connection,
): EmbeddingModelV3 {
  return {
    specificationVersion: 'v3',
    provider: `${name}.embedding`,
    modelId,
    maxEmbeddingsPerCall: 2048,
    supportsParallelCalls: true,
    async doEmbed({ values, abortSignal }) {
      const response = await fetch(`${baseUrl.replace(/\/$/, '')}/embeddings`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...bearer(key?.reveal()) },
        body: JSON.stringify({ model: modelId, input: values, encoding_format: 'float' }),
        signal: abortSignal as never,
      })
      if (!response.ok) throw await refusedBy(response)
      return { embeddings: vectorsIn(JSON.parse(await response.text())), warnings: [] }
    },
  }
}

/** In the order of the texts, whichever they come in. */
function vectorsIn(body: unknown): number[][] {
  const data: unknown = isRecord(body) ? body.data : undefined
  if (!Array.isArray(data)) throw new SyntaxError('There are no vectors in what came.')
  const items = data as { index?: number; embedding: number[] }[]
  return [...items].sort((one, other) => (one.index ?? 0) - (other.index ?? 0)).map(({ embedding }) => embedding)
}
