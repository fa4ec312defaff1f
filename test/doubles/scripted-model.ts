import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '../../src/core/model/index.js'

// `!` is used on indexes that the code around them keeps in range.

/** One step of a scripted model: text, reasoning, calls; or it fails, or never answers. */
export type ScriptedStep = { say?: string; think?: string; call?: ScriptedCall[] } | { fail: unknown } | { stall: true }

export interface ScriptedCall {
  name: string
  /** Data, or raw text to send as it is. */
  input: unknown
}

export interface ScriptedModel extends LanguageModelV3 {
  /** The requests it received, step by step. */
  prompts: LanguageModelV3CallOptions[]
}

/** A model that replies with the given steps, whatever the prompt. A step can be a function of the prompt. */
export function scriptedModel(
  steps: readonly (ScriptedStep | ((prompt: LanguageModelV3CallOptions) => ScriptedStep))[],
): ScriptedModel {
  const prompts: LanguageModelV3CallOptions[] = []
  let calls = 0

  function next(options: LanguageModelV3CallOptions): ScriptedStep {
    prompts.push(options)
    const step = steps[Math.min(prompts.length, steps.length) - 1]!
    return typeof step === 'function' ? step(options) : step
  }

  function parts(step: Extract<ScriptedStep, { say?: string }>): LanguageModelV3StreamPart[] {
    const said: LanguageModelV3StreamPart[] = [{ type: 'stream-start', warnings: [] }]
    if (step.think) said.push(...block('reasoning', step.think))
    if (step.say) said.push(...block('text', step.say))
    for (const { name, input } of step.call ?? []) {
      const text = typeof input === 'string' ? input : JSON.stringify(input)
      said.push({ type: 'tool-call', toolCallId: `call-${++calls}`, toolName: name, input: text })
    }
    const unified = step.call?.length ? 'tool-calls' : 'stop'
    said.push({ type: 'finish', usage, finishReason: { unified, raw: unified } })
    return said
  }

  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    prompts,
    async doGenerate(options) {
      const step = next(options)
      if ('fail' in step) throw step.fail
      if ('stall' in step) return stalled(options.abortSignal)
      const content = [
        ...(step.think ? [{ type: 'reasoning' as const, text: step.think }] : []),
        ...(step.say ? [{ type: 'text' as const, text: step.say }] : []),
        ...parts(step).flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
      ]
      const unified = step.call?.length ? 'tool-calls' : 'stop'
      return { content, usage, finishReason: { unified, raw: unified }, warnings: [] }
    },
    async doStream(options) {
      const step = next(options)
      if ('fail' in step) throw step.fail
      if ('stall' in step) return stalled(options.abortSignal)
      const said = parts(step)
      let at = 0
      const stream = new ReadableStream<LanguageModelV3StreamPart>({
        // One chunk per pull: a long stream queue is slow to empty.
        pull(controller) {
          if (at < said.length) controller.enqueue(said[at++]!)
          else controller.close()
        },
      })
      return { stream }
    },
  }
}

/** Cut into words, as a model would send them. */
function block(kind: 'text' | 'reasoning', text: string): LanguageModelV3StreamPart[] {
  const id = `${kind}-1`
  const deltas = text.match(/\S+\s*|\s+/g) ?? []
  return [
    { type: `${kind}-start`, id },
    ...deltas.map((delta): LanguageModelV3StreamPart => ({ type: `${kind}-delta`, id, delta })),
    { type: `${kind}-end`, id },
  ]
}

function stalled(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason as Error)
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

const usage: LanguageModelV3Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}
