import { randomUUID } from 'node:crypto'

/** The items of a conversation in the format of the Responses API. Requests of both APIs are parsed into them. */
export type Item = MessageItem | CallItem | CallOutputItem | ReasoningItem | CompactionItem | StepItem

type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export interface MessageItem {
  type: 'message'
  id: string
  status: ItemStatus
  role: 'user' | 'assistant' | 'system' | 'developer'
  content: ContentPart[]
}

export type ContentPart =
  | { type: 'input_text'; text: string }
  | OutputText
  | { type: 'refusal'; refusal: string }
  | { type: 'input_image'; image_url: string; detail?: string }
  | { type: 'input_file'; file_data?: string; file_url?: string; filename?: string }

export interface OutputText {
  type: 'output_text'
  text: string
  annotations: Annotation[]
  logprobs: never[]
}

/** The note or page that a range of the text cites. */
export interface Annotation {
  type: 'url_citation'
  start_index: number
  end_index: number
  url: string
  title: string
}

/** A function the client shall run. `id` names the item, `call_id` the call that an output answers. */
export interface CallItem {
  type: 'function_call'
  id: string
  call_id: string
  /** The name within the namespace, if there is one. */
  name: string
  namespace?: string
  /** JSON as the model wrote it. */
  arguments: string
  status: ItemStatus
}

export interface CallOutputItem {
  type: 'function_call_output'
  id: string
  call_id: string
  output: string | ContentPart[]
  status: ItemStatus
}

export interface ReasoningItem {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
  /** Signed provider data that must be sent back with the reasoning. */
  encrypted_content?: string
}

/** A summarized conversation, signed by this server. */
interface CompactionItem {
  type: 'compaction'
  id: string
  encrypted_content: string
}

/** A tool call of the vault's agent, for clients that include `notewright:steps`. */
export interface StepItem {
  type: 'notewright:step'
  id: string
  status: ItemStatus
  tool: string
  activity: string
  arguments: unknown
  ok?: boolean
  summary?: string
}

/** The unique name by which a model knows a tool. */
export const nameForModel = ({ name, namespace }: Pick<CallItem, 'name' | 'namespace'>): string =>
  namespace === undefined ? name : nameInNamespace(namespace, name)

export const nameInNamespace = (namespace: string, name: string): string =>
  `${namespace}${namespace.endsWith('__') ? '' : '__'}${name}`

type Prefix = 'resp' | 'msg' | 'fc' | 'fco' | 'rs' | 'cmp' | 'step' | 'call' | 'chatcmpl'

export const newId = (prefix: Prefix): string => `${prefix}_${randomUUID().replaceAll('-', '')}`

/** The model's own id of a call if it is valid for clients, or a new one. */
export function callIdOf(given: string): string {
  return /^[\w.:-]{1,64}$/.test(given) ? given : newId('call')
}
