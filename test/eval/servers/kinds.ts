import type { Environment } from '../../../src/core/providers/index.js'
import type { Prompt } from '../model/prompt.js'
import { dropBeginning, dropMiddle, promptTokens } from './window.js'

export interface Refusal {
  status: number
  body: unknown
}

/** A kind of server: how it is reached, and what it does with tools and with prompts that are too long. */
export interface ServerKind {
  name: string
  /** As a user names the model; `textual` is one that its server offers no tools for. */
  model: string
  textual: string
  environment(url: string): Environment
  /** The server's answer about the context window, by requested path. */
  tells(path: string, window: number): unknown
  /** Undefined where it teaches tools to models that know none, as LM Studio does. */
  refusesTools?: Refusal
  fit(prompt: Prompt, window: number): Prompt | Refusal
}

const key = 'sk-eval'
const compatible = (url: string) => ({ NOTEWRIGHT_COMPATIBLE_URL: `${url}/v1`, NOTEWRIGHT_COMPATIBLE_KEY: key })

/** Refuses what does not fit. */
const refusing = (body: (tokens: number, window: number) => unknown) => (prompt: Prompt, window: number) => {
  const tokens = promptTokens(prompt)
  return tokens > window ? { status: 400, body: body(tokens, window) } : prompt
}

/** Bodies as people have seen them; the source stands beside each. */
export const serverKinds: readonly ServerKind[] = [
  {
    name: 'ollama',
    model: 'ollama/llama3.2:3b',
    textual: 'ollama/phi3:mini',
    environment: (url) => ({ OLLAMA_HOST: url.replace('http://', '') }),
    // docs/api.md of ollama/ollama
    tells(path, window) {
      if (path === '/api/show') {
        return {
          details: { format: 'gguf', family: 'llama', parameter_size: '3.2B' },
          model_info: { 'general.architecture': 'llama', 'llama.context_length': window },
          capabilities: ['completion', 'tools'],
        }
      }
      return path === '/api/ps' ? { models: [] } : undefined
    },
    refusesTools: {
      status: 400,
      // github.com/FoundationAgents/OpenManus 220
      body: {
        error: {
          message: 'registry.ollama.ai/library/phi3:mini does not support tools',
          type: 'api_error',
          param: null,
          code: null,
        },
      },
    },
    fit: dropBeginning,
  },
  {
    name: 'llama.cpp',
    model: 'compatible/qwen2.5-7b-instruct',
    textual: 'compatible/gemini-like-gemma-2-9b',
    environment: compatible,
    tells(path, window) {
      if (path === '/props') return { default_generation_settings: { n_ctx: window }, total_slots: 1 }
      return path === '/v1/models'
        ? { object: 'list', data: [{ id: 'qwen2.5-7b-instruct', object: 'model' }] }
        : undefined
    },
    refusesTools: {
      status: 500,
      // github.com/QwenLM/Qwen3.8 44
      body: { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } },
    },
    // github.com/oobabooga/textgen 7257
    fit: refusing((tokens, window) => ({
      error: {
        code: 400,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: tokens,
        n_ctx: window,
      },
    })),
  },
  {
    name: 'lmstudio',
    model: 'lmstudio/qwen3-8b',
    textual: 'lmstudio/phi-4-mini',
    environment: (url) => ({ LMSTUDIO_BASE_URL: url }),
    tells(path, window) {
      const entry = { object: 'model', type: 'llm', state: 'loaded', max_context_length: 131_072 }
      const data = ['qwen3-8b', 'phi-4-mini'].map((id) => ({ ...entry, id, loaded_context_length: window }))
      return path === '/api/v0/models' ? { object: 'list', data } : undefined
    },
    // github.com/Gitlawb/openclaude 353; what is too long in the middle of a chat is dropped without a word.
    fit(prompt, window) {
      const [first, second] = prompt.messages
      const kept = promptTokens({ ...prompt, messages: second ? [first, second] : [first] })
      if (kept < window) return dropMiddle(prompt, window)
      const error = `The number of tokens to keep from the initial prompt is greater than the context length (n_keep: ${kept}>= n_ctx: ${window}). Try to load the model with a larger context length, or provide a shorter input.`
      return { status: 400, body: { error } }
    },
  },
  {
    name: 'vllm',
    model: 'compatible/mistral-7b-instruct-v0.3',
    textual: 'compatible/phi-4-mini-instruct',
    environment: compatible,
    tells(path, window) {
      const data = ['mistral-7b-instruct-v0.3', 'phi-4-mini-instruct'].map((id) => ({ id, max_model_len: window }))
      return path === '/v1/models' ? { object: 'list', data } : undefined
    },
    refusesTools: {
      status: 400,
      // github.com/langchain4j/langchain4j 3475
      body: {
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
    // github.com/ogx-ai/ogx 4534
    fit: refusing((tokens, window) => ({
      object: 'error',
      message: `This model's maximum context length is ${window} tokens. However, you requested ${tokens} tokens (${tokens} in the messages, 0 in the completion). Please reduce the length of the messages or completion.`,
      type: 'BadRequestError',
      param: null,
      code: 400,
    })),
  },
  {
    name: 'openrouter',
    model: 'openrouter/meta-llama/llama-3.1-8b-instruct',
    textual: 'openrouter/microsoft/phi-4',
    environment: (url) => ({ OPENROUTER_API_KEY: key, OPENROUTER_BASE_URL: `${url}/api/v1` }),
    tells(path, window) {
      const data = ['meta-llama/llama-3.1-8b-instruct', 'microsoft/phi-4'].map((id) => ({ id, context_length: window }))
      return path === '/api/v1/models' ? { data } : undefined
    },
    refusesTools: {
      status: 404,
      // github.com/bobrware/bobrchat 60
      body: {
        error: {
          message:
            'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
          code: 404,
        },
      },
    },
    fit: dropMiddle,
  },
]
