import type { Environment } from '../../src/core/providers/index.js'

/** Each provider's model and the environment that leads it to a server on this machine. */
export interface Route {
  name: string
  environment(url: string): Environment
}

export const canary = 'sk-test-CANARYKEY0123456789'

export const everyProvider: Route[] = [
  { name: 'openai/gpt-4o', environment: (url) => ({ OPENAI_API_KEY: canary, OPENAI_BASE_URL: `${url}/v1` }) },
  {
    name: 'anthropic/claude-3-5-haiku-latest',
    environment: (url) => ({ ANTHROPIC_API_KEY: canary, ANTHROPIC_BASE_URL: url }),
  },
  { name: 'gemini/gemini-2.0-flash', environment: (url) => ({ GEMINI_API_KEY: canary, GEMINI_BASE_URL: url }) },
  {
    name: 'openrouter/anthropic/claude-3.5-haiku',
    environment: (url) => ({ OPENROUTER_API_KEY: canary, OPENROUTER_BASE_URL: `${url}/api/v1` }),
  },
  { name: 'ollama/llama3.2', environment: (url) => ({ OLLAMA_HOST: url.replace('http://', '') }) },
  { name: 'lmstudio/qwen3-8b', environment: (url) => ({ LMSTUDIO_BASE_URL: url, LMSTUDIO_API_KEY: canary }) },
  {
    name: 'compatible/some-model',
    environment: (url) => ({ NOTEWRIGHT_COMPATIBLE_URL: `${url}/v1`, NOTEWRIGHT_COMPATIBLE_KEY: canary }),
  },
]
