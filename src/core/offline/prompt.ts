import { isRecord } from '../is-record.js'
import type { LanguageModelV3CallOptions, LanguageModelV3Message, LanguageModelV3Prompt } from '../model/index.js'
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
  const { text, currentNote, enclosed } = parseMessage(request === undefined ? '' : messageText(request))
  const after = prompt.slice(at + 1)
  const outcomes = request === undefined ? [] : outcomesOf(request)
  const enclosedResults = enclosed
    .flatMap(({ label, text: found }) => {
      const name = /^result of (\S+)$/.exec(label)?.[1]
      return name === undefined ? [] : [{ name, text: found }]
    })
    .map((result, at): CallResult => ({ isError: false, ...result, ...outcomes[at] }))
    // The offline model cannot read a picture.
    .filter(({ name }) => name !== 'view_file')
  const [chosen] = enclosed.flatMap(({ label, text: words }) => {
    const name = /^prompt \/(\S+) of the vault/.exec(label)?.[1]
    return name === undefined ? [] : [{ name, text: words.trim() }]
  })
  return {
    text,
    ...(chosen !== undefined && { prompt: chosen }),
    ...(currentNote !== undefined && { currentNote }),
    attached: enclosed.filter(
      ({ label }) => !/^(?:result of \S+$|prompt \/|instructions from |not shown: )/.test(label),
    ),
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

/** How the calls ended whose results are enclosed in a request, in their order. */
function outcomesOf({ providerOptions }: LanguageModelV3Message): Partial<CallResult>[] {
  const outcomes = providerOptions?.notewright?.outcomes
  return Array.isArray(outcomes) ? (outcomes as Partial<CallResult>[]) : []
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

export interface EnclosedText {
  label: string
  text: string
}

interface ParsedMessage {
  /** The text the user typed. */
  text: string
  currentNote?: string
  enclosed: EnclosedText[]
}

/**
 * Splits a message into the open note, enclosed texts, and at the end the user's own words. Everything between the
 * marks of an enclosed text belongs to it, even if it looks like a request or like the closing mark.
 */
function parseMessage(message: string): ParsedMessage {
  const enclosed: EnclosedText[] = []
  let rest = message
  let currentNote: string | undefined
  const open = /^The open note is ("(?:[^"\\\n]|\\.)*")\.(?:\n\n|$)/.exec(rest)
  if (open !== null) {
    currentNote = parseQuoted(open[1])
    rest = rest.slice(open[0].length)
  }
  for (;;) {
    const start = /^<<([0-9a-f]{8}) ([^\n]*)\n/.exec(rest)
    if (start === null) return { text: rest.trim(), ...(currentNote !== undefined && { currentNote }), enclosed }
    const [head, mark = '', label = ''] = start
    const body = rest.slice(head.length)
    const end = body.startsWith(`${mark}>>`) ? 0 : body.indexOf(`\n${mark}>>`)
    // Never closed: all of the rest is enclosed, and there is no request.
    enclosed.push({ label, text: end === -1 ? body : body.slice(0, end) })
    rest = end === -1 ? '' : body.slice(end).replace(`${mark}>>`, '').replace(/^\n+/, '')
  }
}

function parseQuoted(quoted = ''): string | undefined {
  try {
    return String(JSON.parse(quoted))
  } catch {
    // Not a JSON string after all: the request has no open note.
    return undefined
  }
}
