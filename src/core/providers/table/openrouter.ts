import { baseUrl } from '../base-url.js'
import { compatibleEmbeddings } from '../embeddings/compatible-embeddings.js'
import { mendOpenRouterCalls } from '../mend-openrouter-calls.js'
import { bearer, idsInData, type Provider } from '../provider.js'
import { openRouterWindow } from '../window/openrouter-window.js'

export const openrouter: Provider = {
  id: 'openrouter',
  name: 'OpenRouter',
  key: { environment: ['OPENROUTER_API_KEY'], required: true, from: 'https://openrouter.ai/keys' },
  address: {
    environment: ['OPENROUTER_BASE_URL'],
    standard: 'https://openrouter.ai/api/v1',
    read: (text, name) => baseUrl(text, name, '/api/v1'),
  },
  files: ['image', 'pdf'],
  unreachableHint: 'Check the connection to the internet.',
  modelHint: () => 'Names look like openrouter/vendor/model.',
  async load({ baseUrl, key, fetch }) {
    const { createOpenRouter } = await import('@openrouter/ai-sdk-provider')
    const open = createOpenRouter({
      baseURL: baseUrl,
      apiKey: key?.reveal() ?? '',
      compatibility: 'strict',
      fetch: fetch,
    })
    return (modelId) => mendOpenRouterCalls(open.chat(modelId))
  },
  embeddings: async (connection) => (modelId) => compatibleEmbeddings('openrouter', modelId, connection),
  window: openRouterWindow,
  windowHint: () => 'Choose a model with a longer context, or ask about less at once.',
  modelIds: idsInData,
  listHeaders: bearer,
}
