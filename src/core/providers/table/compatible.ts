import { baseUrl } from '../base-url.js'
import { compatibleEmbeddings } from '../embeddings/compatible-embeddings.js'
import { bearer, type Connection, idsInData, type Provider } from '../provider.js'
import { compatibleWindow } from '../window/compatible-window.js'

/** Any server that speaks OpenAI's chat completions. */
export const compatible: Provider = {
  id: 'compatible',
  name: 'The OpenAI-compatible server',
  key: { environment: ['NOTEWRIGHT_COMPATIBLE_KEY', 'NOTEWRIGHT_COMPATIBLE_API_KEY'], required: false },
  address: { environment: ['NOTEWRIGHT_COMPATIBLE_URL'], read: (text, name) => baseUrl(text, name, '/v1') },
  unreachableHint: 'Check that the server runs and that NOTEWRIGHT_COMPATIBLE_URL is its address.',
  modelHint: () => 'See what it serves: notewright models --probe',
  load: (connection) => loadCompatible('compatible', connection),
  embeddings: (connection) => compatibleEmbeddings('compatible', connection),
  window: compatibleWindow,
  windowHint: () => 'Start the server with a longer context (llama-server -c {tokens}, vllm --max-model-len {tokens}).',
  modelIds: idsInData,
  listHeaders: bearer,
}

export async function loadCompatible(name: string, { baseUrl, key, fetch }: Connection) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const open = createOpenAICompatible({
    name,
    baseURL: baseUrl,
    includeUsage: true,
    // Without it a schema would be dropped without a word, and only "some JSON" asked for.
    supportsStructuredOutputs: true,
    fetch: fetch as never,
    ...(key && { apiKey: key.reveal() }),
  })
  return (modelId: string) => open.chatModel(modelId)
}
