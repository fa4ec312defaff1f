import type { ProfileFamily } from '../profile.js'
import { claude } from './claude.js'
import { deepseek } from './deepseek.js'
import { gemini } from './gemini.js'
import { gemma } from './gemma.js'
import { glm } from './glm.js'
import { gpt } from './gpt.js'
import { gptOss } from './gpt-oss.js'
import { kimi } from './kimi.js'
import { llama } from './llama.js'
import { mistral } from './mistral.js'
import { qwen } from './qwen.js'

export { defaultProfile } from './default.js'

/** The first match wins: a distilled model behaves like its teacher, whatever its base model is. */
export const families: readonly ProfileFamily[] = [
  gptOss,
  deepseek,
  claude,
  gemini,
  gemma,
  kimi,
  glm,
  mistral,
  qwen,
  llama,
  gpt,
]
