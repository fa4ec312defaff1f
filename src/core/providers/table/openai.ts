import { baseUrl } from '../addresses.js'
import { bearer, idsInData, type Provider } from '../provider.js'

export const openai: Provider = {
  id: 'openai',
  name: 'OpenAI',
  key: { environment: ['OPENAI_API_KEY'], required: true, from: 'https://platform.openai.com/api-keys' },
  address: {
    environment: ['OPENAI_BASE_URL'],
    standard: 'https://api.openai.com/v1',
    read: (text, name) => baseUrl(text, name, '/v1'),
  },
  files: ['image', 'pdf'],
  unreachableHint: 'Check your internet connection.',
  async load({ baseUrl, key, fetch }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ baseURL: baseUrl, apiKey: key?.reveal() ?? '', fetch })
  },
  async embeddings({ baseUrl, key, fetch }) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const open = createOpenAI({ baseURL: baseUrl, apiKey: key?.reveal() ?? '', fetch })
    return (modelId) => open.embeddingModel(modelId)
  },
  modelIds: idsInData,
  listHeaders: bearer,
}
