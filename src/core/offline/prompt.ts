import { isRecord } from '../is-record.js'
import {
  type EnclosedText,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Message,
  type LanguageModelV3Prompt,
  requestParts,
  splitRequest,
} from '../model/index.js'
import { mentionsNoModel } from './guidance.js'

export interface CallResult {
  /** The tool that was called. */
  name: string
  /** The arguments of the call, where they are known. */
  input?: Record<string, unknown>
  text: string
  isError: boolean
  /** The code of the failure. */
  code?: string
  /** The failure in the words of a user. */
  forUser?: string
  /** The call changed notes. */
  hasChanged?: boolean
}

/** The last request in a prompt, and the results of its tool calls. */
export interface ParsedPrompt {
  /** The user's own words, without enclosed text. */
  text: string
  currentNote?: string
  /** Text the user selected or attached. */
  attached: EnclosedText[]
  /** The vault's prompt file that the user chose with `/name`, filled in. */
  prompt?: { name: string; text: string }
  results: CallResult[]
  /** How many rounds of tool calls this turn has had. */
  rounds: number
  /** Names of the tools that can be called. */
  offered: ReadonlySet<string>
  /** An earlier answer of this conversation has mentioned that there is no model. */
  hasSaidNoModel: boolean
}

export function parsePrompt({ prompt, tools = [], toolChoice }: LanguageModelV3CallOptions): ParsedPrompt {
  const names = toolChoice?.type === 'none' ? [] : tools.map(({ name }) => name)
  const offered = new Set(toolChoice?.type === 'tool' ? names.filter((name) => name === toolChoice.toolName) : names)
  const at = requestIndex(prompt, offered.size > 0)
  const request = at === -1 ? undefined : prompt[at]
  const parts = request && requestParts(request)
  const { text, enclosed } = splitRequest(request === undefined ? '' : messageText(request), parts)
  const after = prompt.slice(at + 1)
  const enclosedResults = enclosed
    .flatMap(({ part, text: found }) => {
      if (part?.kind !== 'result') return []
      const { kind: _, ...result } = part
      return [{ isError: false, ...result, text: found } satisfies CallResult]
    })
    // The offline model cannot read a picture.
    .filter(({ name }) => name !== 'view_file')
  const [chosen] = enclosed.flatMap(({ part, label, text: words }) => {
    const name = /^prompt \/(\S+)/.exec(label)?.[1]
    return part?.kind !== 'prompt' || name === undefined ? [] : [{ name, text: words.trim() }]
  })
  return {
    text,
    ...(chosen !== undefined && { prompt: chosen }),
    ...(parts?.currentNote !== undefined && { currentNote: parts.currentNote }),
    attached: enclosed.filter(({ part }) => part === undefined || /^(?:selection|attachment)$/.test(part.kind)),
    results: [...enclosedResults, ...resultsIn(after)],
    rounds: after.filter(({ role }) => role === 'tool').length,
    offered,
    hasSaidNoModel: prompt.slice(0, Math.max(at, 0)).some(saysNoModel),
  }
}

const saysNoModel = (message: LanguageModelV3Message): boolean =>
  message.role === 'assistant' && mentionsNoModel(messageText(message))

/** Index of the user's last message. At the step limit the agent itself asks for an answer, right after the results. */
function requestIndex(prompt: LanguageModelV3Prompt, hasTools: boolean): number {
  const roles = prompt.map(({ role }) => role)
  const last = roles.lastIndexOf('user')
  const isFromAgent = !hasTools && last === prompt.length - 1 && roles[last - 1] === 'tool'
  return isFromAgent ? roles.lastIndexOf('user', last - 1) : last
}

function messageText({ content }: LanguageModelV3Message): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

function resultsIn(messages: LanguageModelV3Prompt): CallResult[] {
  const inputs = new Map<string, unknown>()
  const results: CallResult[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const part of message.content) if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input)
    }
    if (message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue
      const { output, providerOptions } = part
      const { code, forUser, hasChanged } = providerOptions?.notewright ?? {}
      const input = inputs.get(part.toolCallId)
      const isError = output.type === 'error-text' || output.type === 'error-json' || output.type === 'execution-denied'
      results.push({
        name: part.toolName,
        ...(isRecord(input) && { input }),
        text: 'value' in output ? asText(output.value) : ('reason' in output && output.reason) || 'It was denied.',
        isError,
        ...(typeof code === 'string' && { code }),
        ...(typeof forUser === 'string' && { forUser }),
        ...(hasChanged === true && { hasChanged }),
      })
    }
  }
  return results
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
