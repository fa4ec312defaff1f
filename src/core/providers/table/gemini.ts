import { baseUrl } from '../addresses.js'
import type { Provider } from '../provider.js'

interface GeminiModel {
  name?: string
  supportedGenerationMethods?: unknown
}

export const gemini: Provider = {
  id: 'gemini',
  name: 'Gemini',
  key: {
    environment: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    required: true,
    from: 'https://aistudio.google.com/apikey',
  },
  address: {
    environment: ['GEMINI_BASE_URL'],
    standard: 'https://generativelanguage.googleapis.com/v1beta',
    read: (text, name) => withVersion(baseUrl(text, name, '/v1beta')),
  },
  files: ['image', 'pdf'],
  unreachableHint: 'Check your internet connection.',
  async load({ baseUrl, key, fetch }) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
    return createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: key?.reveal() ?? '', fetch })
  },
  async embeddings({ baseUrl, key, fetch }) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
    const open = createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: key?.reveal() ?? '', fetch })
    return (modelId) => open.embeddingModel(modelId)
  },
  modelIds(body) {
    const models = (body as { models?: unknown } | null)?.models
    if (!Array.isArray(models)) return []
    const answering = (models as (GeminiModel | null)[]).filter((model) => {
      const methods = model?.supportedGenerationMethods
      return !Array.isArray(methods) || methods.includes('generateContent')
    })
    return answering.map((model) => (model?.name ?? '').replace(/^models\//, '')).filter((id) => id !== '')
  },
  listHeaders: (key): Record<string, string> => (key === undefined ? {} : { 'x-goog-api-key': key }),
}

const withVersion = (url: string): string => (/\/v\d+[a-z]*$/.test(url) ? url : `${url}/v1beta`)
