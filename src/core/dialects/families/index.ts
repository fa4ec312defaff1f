import type { Dialect } from '../dialect.js'
import { bareArray, llamaJson, sentinelLine } from './bare-json.js'
import { cohereAction } from './cohere-action.js'
import { cohereMarkdown } from './cohere-markdown.js'
import { deepseek } from './deepseek.js'
import { functionary } from './functionary.js'
import { functionGemma, gemma4 } from './gemma.js'
import { gigachat } from './gigachat.js'
import { glm } from './glm.js'
import { harmony } from './harmony.js'
import { hunyuan } from './hunyuan.js'
import { internlm } from './internlm.js'
import { anthropicInvoke, deepseekDsml, minimax } from './invoke.js'
import { granite3, granite20b, jamba, nemotron, phi4mini } from './json-array.js'
import { kimi } from './kimi.js'
import { kimiK3 } from './kimi-k3.js'
import { minimaxM3 } from './minimax-m3.js'
import { mistral } from './mistral.js'
import { lfm2, olmo3, pythonic } from './pythonic.js'
import { qwenCoder } from './qwen-coder.js'
import { strippedHarmony } from './stripped-harmony.js'
import { toolCallJson } from './tool-call-json.js'
import { toolTag } from './tool-tag.js'
import { useTool } from './use-tool.js'

/** All dialects the reader knows. If two share a marker, the first one that recognises the text after it reads it. */
export const dialects = [
  toolCallJson,
  qwenCoder,
  glm,
  useTool,
  functionary,
  llamaJson,
  bareArray,
  sentinelLine,
  pythonic,
  olmo3,
  lfm2,
  mistral,
  deepseek,
  deepseekDsml,
  kimi,
  kimiK3,
  minimax,
  minimaxM3,
  anthropicInvoke,
  gemma4,
  functionGemma,
  harmony,
  strippedHarmony,
  cohereAction,
  cohereMarkdown,
  granite3,
  granite20b,
  phi4mini,
  jamba,
  hunyuan,
  gigachat,
  internlm,
  nemotron,
  toolTag,
] as const satisfies readonly Dialect[]

/** The name of a built-in dialect. */
export type DialectName = (typeof dialects)[number]['names'][number]
