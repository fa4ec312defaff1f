import { baseUrl } from '../addresses.js'
import { idsInData, type Provider } from '../provider.js'

export const anthropic: Provider = {
  id: 'anthropic',
  name: 'Anthropic',
  key: { environment: ['ANTHROPIC_API_KEY'], required: true, from: 'https://console.anthropic.com/settings/keys' },
  address: {
    environment: ['ANTHROPIC_BASE_URL'],
    standard: 'https://api.anthropic.com/v1',
    // Other tools expect this variable without the version, ours with it: both work.
    read: (text, name) => withVersion(baseUrl(text, name, '/v1')),
  },
  files: ['image', 'pdf'],
  unreachableHint: 'Check your internet connection.',
  async load({ baseUrl, key, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL: baseUrl, apiKey: key?.reveal() ?? '', fetch })
  },
  modelIds: idsInData,
  listHeaders: (key) => ({ ...(key && { 'x-api-key': key }), 'anthropic-version': '2023-06-01' }),
}

const withVersion = (url: string): string => (/\/v\d+$/.test(url) ? url : `${url}/v1`)
