import { baseUrl } from '../addresses.js'
import { findModelEntry, queryServer, serverRoot, tokenCount } from '../model-window.js'
import { chatModel, compatibleEmbeddings } from '../openai-compatible.js'
import { bearer, idsInData, type Provider, type ProviderConnection, type ServerWindow } from '../provider.js'

/** Any server with OpenAI's chat completions API. */
export const compatible: Provider = {
  id: 'compatible',
  name: 'OpenAI-compatible server',
  key: { environment: ['NOTEWRIGHT_COMPATIBLE_KEY', 'NOTEWRIGHT_COMPATIBLE_API_KEY'], required: false },
  address: { environment: ['NOTEWRIGHT_COMPATIBLE_URL'], read: (text, name) => baseUrl(text, name, '/v1') },
  files: ['image'],
  unreachableHint: 'Check that the server is running.',
  load: async (connection) => (modelId) => chatModel('compatible', modelId, connection),
  embeddings: async (connection) => (modelId) => compatibleEmbeddings('compatible', modelId, connection),
  window: compatibleWindow,
  windowHint: () =>
    'Start the server with a larger context window (llama-server -c {tokens}, vllm --max-model-len {tokens}).',
  modelIds: idsInData,
  listHeaders: bearer,
}

/** vLLM and some hosts report the size in the list of models, llama.cpp in its properties. */
async function compatibleWindow(modelId: string, connection: ProviderConnection): Promise<ServerWindow | undefined> {
  const [list, properties] = await Promise.all([
    queryServer(connection, `${connection.baseUrl}/models`),
    queryServer(connection, `${serverRoot(connection.baseUrl)}/props`),
  ])
  const entry = findModelEntry(list, modelId)
  const inUse = (properties as { default_generation_settings?: { n_ctx?: unknown } } | null | undefined)
    ?.default_generation_settings?.n_ctx
  const tokens = tokenCount(inUse) ?? tokenCount(entry?.max_model_len) ?? tokenCount(entry?.context_length)
  return tokens === undefined ? undefined : { tokens }
}
