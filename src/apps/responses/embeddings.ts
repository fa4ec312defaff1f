import type { Embedder } from '../../core/index/index.js'
import { estimateTokens } from '../../core/text/index.js'
import { badField, refusal } from '../server/index.js'
import { type Fields, ignoredFields, readFields } from './request/fields.js'

const supportedFields = ['input', 'model', 'encoding_format', 'dimensions', 'user']

/** Maximum number of texts in one request. */
const maxTexts = 2048

/** `POST /v1/embeddings`: vectors of the embedding model that the settings name. */
export async function embeddingsResponse(
  body: unknown,
  embedder: Embedder | undefined,
  signal: AbortSignal,
): Promise<{ response: object; ignored: string[] }> {
  const fields = readFields(body)
  const ignored = ignoredFields(fields, supportedFields)
  if (embedder === undefined) {
    throw refusal({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      message: 'No embedding model is set up. Choose one: notewright config set embeddings.model PROVIDER/MODEL',
    })
  }
  checkModel(fields, embedder)
  const texts = readTexts(fields)
  const isBase64 = fields.oneOf('encoding_format', ['float', 'base64']) === 'base64'
  if (fields.integer('dimensions', 1) !== undefined) ignored.push('dimensions')
  const vectors: Float32Array[] = []
  for (let at = 0; at < texts.length; at += embedder.maxBatch) {
    vectors.push(...(await embedder.embed(texts.slice(at, at + embedder.maxBatch), 'passage', signal)))
  }
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
  return {
    ignored,
    response: {
      object: 'list',
      data: vectors.map((vector, index) => ({
        object: 'embedding',
        index,
        embedding: isBase64
          ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
          : [...vector],
      })),
      model: embedder.id,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    },
  }
}

/** One model is served; a client may also leave its name to the server, as `notewright`. */
function checkModel(fields: Fields, { id }: Embedder): void {
  const model = fields.needText('model')
  if (model === 'notewright' || id === model || id.endsWith(`/${model}`)) return
  const message = `Model not found: ${model.slice(0, 80)}. The embedding model of this server is ${id}.`
  throw refusal({ status: 404, code: 'model_not_found', param: 'model', message })
}

function readTexts(fields: Fields): string[] {
  const given = fields.get('input')
  const texts = typeof given === 'string' ? [given] : given
  if (!Array.isArray(texts) || texts.length === 0 || texts.some((text) => typeof text !== 'string' || text === '')) {
    const message = 'input must be a text or a list of texts. Lists of tokens are not supported.'
    throw badField('input', message, 'invalid_type')
  }
  if (texts.length > maxTexts) throw badField('input', `At most ${maxTexts} texts can be embedded at once.`)
  return texts
}
