import { baseUrl } from '../addresses.js'
import { chatModel, compatibleEmbeddings } from '../openai-compatible.js'
import { bearer, idsInData, type Provider } from '../provider.js'
import { windowOfAnyServer } from '../server-window.js'

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
  window: windowOfAnyServer,
  windowHint: () =>
    'Start the server with a larger context window (llama-server -c {tokens}, vllm --max-model-len {tokens}).',
  modelIds: idsInData,
  listHeaders: bearer,
}
