import { withoutHiddenText } from './hidden-text.js'

const tags = [
  'tool_calls?\\b',
  'toolcall\\b',
  'use_tool\\b',
  'function=',
  'function_calls?\\b',
  'invoke\\s',
  'parameter[=\\s]',
  'arg_(?:key|value)\\b',
  'minimax:',
  'mm:think>',
  'tool_sep\\b',
  '(?:start|end)_function_(?:call|response|declaration)>',
  'escape>',
  'antml:',
  'tool_(?:result|response|output)\\b',
  'think(?:ing)?[>:]',
  'seed:think>',
  '(?:start|end)_of_turn>',
  '(?:system|s|bos|eos|SYS)>',
  '(?:channel|turn)\\|>',
]
const brackets = [
  'TOOL_CALLS\\]',
  'AVAILABLE_TOOLS\\]',
  'TOOL_(?:RESULTS|CONTENT)\\]',
  'ARGS\\]',
  'CALL_ID\\]',
  'INST\\]',
  'THINK\\]',
  'SYSTEM_PROMPT\\]',
  '(?:tool_result|user|assistant|system) #',
  'function_call(?:_output)?\\s',
]

/** What only a model or a server may write: call markers of every dialect, role markers, and the labels of our own blocks. */
const markers = [
  `<(?=\\\\*(?:/?(?:${tags.join('|')})|[|｜][^\\s|｜]))`,
  `\\[(?=\\\\*/?(?:${brackets.join('|')}))`,
  'functools(?=\\\\*\\[)',
  'to(?=\\\\*=functions\\.)',
  'assistant(?=\\\\*(?:analysis|commentary|final))',
  '\\](?=\\\\*<\\]minimax)',
  '\\n\\n(?:Human|Assistant)(?=\\\\*:)',
  'Action(?=\\\\*:\\s*```json)',
  '◁(?=\\\\*/?think▷)',
].join('|')

const marker = new RegExp(markers, 'gi')
const neutralised = new RegExp(`(${markers})\\\\`, 'gi')

/**
 * Makes text from notes, web pages, tools and people safe to stand in a prompt: a backslash takes every marker its
 * meaning and leaves it readable, and hidden characters are replaced by a note that says so.
 */
export function neutralise(text: string): string {
  return withoutHiddenText(text).replace(marker, '$&\\')
}

/** Takes the backslashes out again, for text that a model copied from its prompt. */
export function restoreNeutralised(text: string): string {
  return text.includes('\\') ? text.replace(neutralised, '$1') : text
}

/** Restores every string in a value, such as a call's arguments. */
export function restoreDeep<T>(value: T): T {
  if (typeof value === 'string') return restoreNeutralised(value) as T
  if (Array.isArray(value)) return value.map(restoreDeep) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, restoreDeep(member)])) as T
}

/** JSON on one line in which no marker can be read, and which still means the same. */
export function markerlessJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(marker, (found) => `\\u${hex(found)}${found.slice(1)}`)
}

const hex = (text: string): string => text.charCodeAt(0).toString(16).padStart(4, '0')
