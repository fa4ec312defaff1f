import { chatModel } from '../chat/chat-model.js'
import { ollamaEmbeddings } from '../embeddings/ollama-embeddings.js'
import { ollamaModel } from '../ollama/ollama-model.js'
import { ollamaHost } from '../ollama-host.js'
import { bearer, idsInData, type Provider } from '../provider.js'
import { ollamaWindow } from '../window/ollama-window.js'

export const ollama: Provider = {
  id: 'ollama',
  name: 'Ollama',
  key: { environment: ['OLLAMA_API_KEY'], required: false },
  address: { environment: ['OLLAMA_HOST'], standard: 'http://127.0.0.1:11434/v1', read: ollamaHost },
  files: ['image'],
  unreachableHint: 'Start it with: ollama serve.',
  modelHint: (modelId) => `Fetch it with: ollama pull ${modelId}.`,
  embeddings: async (connection) => (modelId) => ollamaEmbeddings(modelId, connection),
  load: async (connection) => (modelId) => ollamaModel(modelId, connection, chatModel('ollama', modelId, connection)),
  window: ollamaWindow,
  modelIds: idsInData,
  listHeaders: bearer,
}
