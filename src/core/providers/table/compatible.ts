import { baseUrl } from '../base-url.js'
import { chatModel } from '../chat/chat-model.js'
import { compatibleEmbeddings } from '../embeddings/compatible-embeddings.js'
import { bearer, idsInData, type Provider } from '../provider.js'
import { compatibleWindow } from '../window/compatible-window.js'

/** Any server that speaks OpenAI's chat completions. */
export const compatible: Provider = {
  id: 'compatible',
  name: 'The OpenAI-compatible server',
  key: { environment: ['NOTEWRIGHT_COMPATIBLE_KEY', 'NOTEWRIGHT_COMPATIBLE_API_KEY'], required: false },
  address: { environment: ['NOTEWRIGHT_COMPATIBLE_URL'], read: (text, name) => baseUrl(text, name, '/v1') },
  files: ['image'],
  unreachableHint: 'Check that the server runs.',
  load: async (connection) => (modelId) => chatModel('compatible', modelId, connection),
  embeddings: async (connection) => (modelId) => compatibleEmbeddings('compatible', modelId, connection),
  window: compatibleWindow,
  windowHint: () => 'Start the server with a longer context (llama-server -c {tokens}, vllm --max-model-len {tokens}).',
  modelIds: idsInData,
  listHeaders: bearer,
}
