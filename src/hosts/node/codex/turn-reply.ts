import type { Failure } from '../../../core/errors.js'
import { isRecord } from '../../../core/is-record.js'
import {
  type LanguageModelV3FinishReason,
  type LanguageModelV3StreamPart,
  type LanguageModelV3Usage,
  modelFailure,
} from '../../../core/model/index.js'
import type { ThreadEvent } from './app-server.js'
import { abilityOf, type CodexTool } from './codex-model.js'
import { codexContext, truncationReason, turnFailure } from './failures.js'
import type { EndedTurn, ServerMessage, TokenCounts, ToolCallParams, TurnError } from './protocol.js'

type Part = LanguageModelV3StreamPart

export interface ReplyOptions {
  modelId: string
  /** The tools of ours, by name. */
  tools: ReadonlySet<string>
  /** The abilities of its own that are allowed. */
  allowed: readonly CodexTool[]
  /** At most one call in a reply. */
  oneCall: boolean
  /** True if each model response is reported with its items and usage. */
  tellsResponses: boolean
  /**
   * Continues after results: code that a response left running may call more tools before the model writes anything.
   */
  goesOn: boolean
}

/** Converts Codex events of a turn into the parts of one reply: until it waits for results, or the turn is over. */
interface TurnReply {
  read(event: ThreadEvent): Part[]
  /** True if the reply is complete; the state of the turn then. */
  state(): 'going' | 'waiting' | 'over' | 'forbidden'
  /** Ends a reply that waits for results. */
  end(): Part[]
  /** The calls of this reply, by id. */
  readonly calls: ReadonlySet<string>
}

export function turnReply({ modelId, tools, allowed, oneCall, tellsResponses, goesOn }: ReplyOptions): TurnReply {
  const calls = new Set<string>()
  /** Calls that Codex has announced and not yet asked us for. */
  const announced = new Set<string>()
  const spoken = new Set<string>()
  const usage = newUsage()
  let open: { kind: 'text' | 'reasoning'; id: string } | undefined
  let hasText = false
  let isResponseOver = goesOn
  let state: ReturnType<TurnReply['state']> = 'going'

  function* words(kind: 'text' | 'reasoning', id: string, delta: string): Generator<Part> {
    if (open?.kind !== kind || open.id !== id) {
      yield* close()
      open = { kind, id }
      yield { type: `${kind}-start`, id }
      // Between two messages it has used its own tool; they become paragraphs of one answer.
      if (kind === 'text' && hasText && !spoken.has(id)) yield { type: 'text-delta', id, delta: '\n\n' }
    }
    spoken.add(id)
    hasText ||= kind === 'text' && delta !== ''
    if (delta !== '') yield { type: `${kind}-delta`, id, delta }
  }

  function* close(): Generator<Part> {
    if (open !== undefined) yield { type: `${open.kind}-end`, id: open.id }
    open = undefined
  }

  function* call(id: string, name: string, input: string): Generator<Part> {
    if (calls.has(id) || (oneCall && calls.size > 0)) return
    calls.add(id)
    yield* close()
    yield { type: 'tool-call', toolCallId: id, toolName: name, input }
  }

  function* finish(unified: LanguageModelV3FinishReason['unified'], raw: string): Generator<Part> {
    yield* close()
    yield { type: 'finish', finishReason: { unified, raw }, usage: usage.total() }
  }

  function* fail(failure: Failure): Generator<Part> {
    state = 'over'
    yield* close()
    yield { type: 'error', error: failure }
  }

  /** The items the model wrote, each added when complete. */
  function* rawItem(item: Record<string, unknown>): Generator<Part> {
    const { type, call_id: id, name, arguments: input } = item
    if (type === 'function_call_output') return void announced.delete(String(id))
    if (type !== 'message' || item.role === 'assistant') isResponseOver = false
    // A call with arguments that cannot be read is answered by Codex itself; the model tries again.
    if (type !== 'function_call' || !tools.has(String(name)) || !isObject(String(input))) return
    announced.add(String(id))
    yield* call(String(id), String(name), String(input))
  }

  function* read({ method, params }: ServerMessage): Generator<Part> {
    switch (method) {
      case 'item/agentMessage/delta': {
        const { itemId, delta } = params as { itemId: string; delta: string }
        return yield* words('text', itemId, delta)
      }
      case 'item/reasoning/textDelta':
      case 'item/reasoning/summaryTextDelta': {
        const { itemId, delta } = params as { itemId: string; delta: string }
        return yield* words('reasoning', itemId, delta)
      }
      case 'item/reasoning/summaryPartAdded': {
        const { itemId, summaryIndex } = params as { itemId: string; summaryIndex: number }
        return yield* words('reasoning', itemId, summaryIndex > 0 ? '\n\n' : '')
      }
      case 'item/started':
        return yield* begun((params as { item: StartedItem }).item)
      case 'item/completed': {
        const { item } = params as { item: { type: string; id: string; text?: string } }
        if (item.type === 'agentMessage' && !spoken.has(item.id)) yield* words('text', item.id, item.text ?? '')
        if (open?.id === item.id) yield* close()
        return
      }
      case 'rawResponseItem/completed':
        return yield* rawItem((params as { item: Record<string, unknown> }).item)
      case 'rawResponse/completed': {
        isResponseOver = true
        usage.add((params as { usage: TokenCounts | null }).usage)
        return
      }
      case 'thread/tokenUsage/updated':
        if (!tellsResponses) usage.add((params as { tokenUsage: { last: TokenCounts } }).tokenUsage.last)
        return
      case 'item/tool/call': {
        const { callId, tool, arguments: input } = params as ToolCallParams
        announced.delete(callId)
        return yield* call(callId, tool, JSON.stringify(input))
      }
      case 'turn/completed':
        return yield* ended((params as { turn: EndedTurn }).turn)
    }
  }

  function* begun(item: StartedItem): Generator<Part> {
    const ability = abilityOf(item)
    if (ability === undefined || allowed.includes(ability)) return
    const message = `Stopped, because Codex started to use a built-in tool that is not allowed: ${ability}.`
    yield* fail(
      modelFailure('rejected', codexContext(modelId), message, {
        hint: `Ask again, choose another model, or allow the tool: --codex-tools ${ability}`,
      }),
    )
    state = 'forbidden'
  }

  function* ended({ status, error }: EndedTurn): Generator<Part> {
    state = 'over'
    const cut = status === 'failed' ? truncationReason(error) : undefined
    if (cut !== undefined) return yield* finish(cut, cut)
    if (status === 'completed') return yield* finish('stop', status)
    yield* fail(turnFailure(error ?? interrupted, modelId))
  }

  return {
    calls,
    read: (event) => [...('closed' in event ? fail(event.closed) : read(event))],
    state() {
      const isWaiting = state === 'going' && calls.size > 0 && announced.size === 0 && isResponseOver
      return isWaiting ? 'waiting' : state
    },
    end: () => [...finish('tool-calls', 'tool-calls')],
  }
}

type StartedItem = Parameters<typeof abilityOf>[0]

const interrupted: TurnError = { message: 'The request was interrupted.', codexErrorInfo: null }

function isObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}

/** Usage of a reply: the sum over its model responses. */
function newUsage() {
  const sum = { input: 0, cached: 0, written: 0, output: 0, reasoning: 0 }
  let isKnown = false
  return {
    add(counts: TokenCounts | null): void {
      if (counts === null) return
      isKnown = true
      sum.input += counts.inputTokens
      sum.cached += counts.cachedInputTokens
      sum.written += counts.cacheWriteInputTokens ?? 0
      sum.output += counts.outputTokens
      sum.reasoning += counts.reasoningOutputTokens
    },
    total(): LanguageModelV3Usage {
      const { input, cached, written, output, reasoning } = sum
      const told = (count: number) => (isKnown ? count : undefined)
      return {
        inputTokens: {
          total: told(input),
          noCache: told(input - cached - written),
          cacheRead: told(cached),
          cacheWrite: told(written),
        },
        outputTokens: { total: told(output), text: told(output - reasoning), reasoning: told(reasoning) },
      }
    },
  }
}
