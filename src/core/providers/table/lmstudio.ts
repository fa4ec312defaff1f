import { baseUrl } from '../addresses.js'
import { chatModel, compatibleEmbeddings } from '../openai-compatible.js'
import { bearer, idsInData, type Provider } from '../provider.js'
import { lmStudioWindow } from '../server-window.js'

export const lmstudio: Provider = {
  id: 'lmstudio',
  name: 'LM Studio',
  key: { environment: ['LMSTUDIO_API_KEY'], required: false },
  address: {
    environment: ['LMSTUDIO_BASE_URL'],
    standard: 'http://127.0.0.1:1234/v1',
    read: (text, name) => baseUrl(text, name, '/v1'),
  },
  files: ['image'],
  unreachableHint: 'Start its server (Developer tab, or: lms server start).',
  modelHint: (modelId) => `Load it in LM Studio, or with: lms load ${modelId}.`,
  load: async (connection) => (modelId) => chatModel('lmstudio', modelId, connection),
  embeddings: async (connection) => (modelId) => compatibleEmbeddings('lmstudio', modelId, connection),
  window: lmStudioWindow,
  windowHint: (modelId) => `Load it with a larger context window: lms load ${modelId} --context-length {tokens}`,
  modelIds: idsInData,
  listHeaders: bearer,
}
