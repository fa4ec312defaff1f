import type { Call, Message, Prompt } from './prompt.js'

/** A call of the model and what came of it, as far as both can still be seen. */
export interface Exchange {
  name: string
  input: Record<string, unknown>
  text: string
  isError: boolean
}

/** How calls are made, as the model has been told. */
export type Form = 'native' | 'sentinel' | 'use-tool'

/** The data a model can use: only the request it received. */
export interface Seen {
  /** The user's last request. */
  ask: string
  /** Names of the tools described to it. */
  tools: ReadonlySet<string>
  /** Undefined if calls were not described, or the description is no longer visible. */
  form?: Form
  /** Since the user asked. */
  exchanges: Exchange[]
  /** All results in view, also those of which only the end is left. */
  material: string
  /** Text that the model has written since that request. */
  said: string[]
  /** The newest message of the program, without results. */
  justTold: string
  /** It may only answer now. */
  isClosed: boolean
}

/** Reads a request as a model does. `isAsk` knows the user's words from those of the program. */
export function see({ messages, tools }: Prompt, isAsk: (text: string) => boolean): Seen {
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text)
  const lesson = system.join('\n')
  const asked = messages.map(({ role, text }) => role === 'user' && isAsk(wordsOf(text))).lastIndexOf(true)
  const before = messages.slice(0, Math.max(asked, 0))
  const since = messages.slice(Math.max(asked, 0))
  const last = since.length > 1 && since.at(-1)!.role === 'user' ? wordsOf(since.at(-1)!.text) : ''
  return {
    ask: asked < 0 ? '' : wordsOf(messages[asked].text),
    tools: new Set([...tools.map(({ name }) => name), ...taughtTools(lesson)]),
    form: tools.length > 0 ? 'native' : taughtForm(lesson),
    exchanges: exchangesIn(since),
    material: [...before, ...since].map(resultsOf).join('\n'),
    said: since.flatMap(({ role, text }) => (role === 'assistant' && text !== '' ? [text] : [])),
    justTold: last,
    isClosed: /no more tools|no tool (?:can|may) be called|do not call any tool/i.test(last),
  }
}

const block = /\[tool_result #(\w+) \d+ ([\w.:/-]*)( error)?\]\n([\s\S]*?)\n\[\/tool_result #\1\]/g

const wordsOf = (text: string): string => text.replace(block, '').trim()

function resultsOf({ role, text }: Message): string {
  if (role === 'tool') return text
  // An envelope, or the end of a result whose beginning was dropped, is read like any other text.
  return role === 'user' ? text : ''
}

const taughtTools = (lesson: string): string[] => [...lesson.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)

function taughtForm(lesson: string): Form | undefined {
  if (lesson.includes('<tool_call>{')) return 'sentinel'
  return lesson.includes('<use_tool>\n') ? 'use-tool' : undefined
}

function exchangesIn(messages: readonly Message[]): Exchange[] {
  const waiting: (Call & { id?: string })[] = []
  const found: Exchange[] = []
  const take = (name: string, id?: string): Call | undefined => {
    const at = waiting.findIndex((call) => (id ? call.id === id : name === '' || call.name === name))
    return at < 0 ? undefined : waiting.splice(at, 1)[0]
  }
  for (const message of messages) {
    if (message.role === 'assistant') waiting.push(...(message.calls ?? []), ...writtenCalls(message.text))
    if (message.role === 'tool') {
      const { text, callId, toolName = '' } = message
      const call = take(toolName, callId) ?? { name: toolName, input: {} }
      found.push({ ...call, text, isError: soundsWrong(text) })
    }
    if (message.role === 'user') {
      for (const [, , name, error, text] of message.text.matchAll(block)) {
        found.push({ ...(take(name) ?? { input: {} }), name, text, isError: error !== undefined || soundsWrong(text) })
      }
    }
  }
  return found
}

function writtenCalls(text: string): Call[] {
  const sentinel = [...text.matchAll(/<tool_call>(\{.*?\})<\/tool_call>/gs)].flatMap(([, json]) => {
    const { name, arguments: input } = jsonIn(json) as { name?: string; arguments?: Record<string, unknown> }
    return name ? [{ name, input: input ?? {} }] : []
  })
  const useTool = [...text.matchAll(/<use_tool>\s*<name>(\w+)<\/name>\s*<args>\s*(\{.*?\})\s*<\/args>/gs)]
  return [...sentinel, ...useTool.map(([, name, json]) => ({ name, input: jsonIn(json) }))]
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** By the protocol's own way nothing marks a failure but its words. */
function soundsWrong(text: string): boolean {
  const [first] = text.split('\n', 1)
  if (/^(?:\[|Note (?:edited|created|deleted|renamed|moved)|No change|Text added|Frontmatter updated)/.test(first))
    return false
  return /validation failed|not found|unknown tool|no note|cancelled|denied|not allowed|refused|could not|failed/i.test(
    first,
  )
}
