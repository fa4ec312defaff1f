/** The items of a conversation, as the Responses API writes them. Both APIs are read into these. */
export type Item = MessageItem | CallItem | CallOutputItem | ReasoningItem | CompactionItem | StepItem

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

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

/** A note or page that a stretch of the text comes from. */
export interface Annotation {
  type: 'url_citation'
  start_index: number
  end_index: number
  url: string
  title: string
}

/** The model asks the client to run a function. `id` names the item, `call_id` the call, which the output answers. */
export interface CallItem {
  type: 'function_call'
  id: string
  call_id: string
  name: string
  /** As the model wrote them. */
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
  /** What the model's provider wants back with its thoughts. */
  encrypted_content?: string
}

/** A conversation made short; only we can read what is in it. */
export interface CompactionItem {
  type: 'compaction'
  id: string
  encrypted_content: string
}

/** What the vault's agent did, for a client that asked to see it. */
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
