import type { Provider } from '../provider.js'
import { anthropic } from './anthropic.js'
import { compatible } from './compatible.js'
import { gemini } from './gemini.js'
import { lmstudio } from './lmstudio.js'
import { ollama } from './ollama.js'
import { openai } from './openai.js'
import { openrouter } from './openrouter.js'

/** All providers, in the order they are shown. */
export const providers: readonly Provider[] = [ollama, lmstudio, openai, anthropic, gemini, openrouter, compatible]
