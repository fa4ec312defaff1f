/**
 * What we send to Codex's app-server and read of what it sends: the part of its protocol that a model needs, as
 * `codex app-server generate-ts --experimental` of 0.166.0 writes it. Lines of JSON, without a `jsonrpc` field.
 */

export type RequestId = number | string

export interface RpcError {
  code: number
  message: string
}

/** A notification, or a request where it has an id. */
export interface ServerMessage {
  method: string
  id?: RequestId
  params?: unknown
}

export interface InitializeResult {
  /** `notewright/0.166.0 (Debian 12.0.0; x86_64) unknown (notewright; 0.1.0)`: our name with Codex's version. */
  userAgent: string
}

/** `config/read`: what stands in the person's own configuration. */
export interface ConfigResult {
  config: { mcp_servers?: Record<string, unknown> | null }
}

export interface ThreadResult {
  thread: { id: string }
}

export interface TurnResult {
  turn: { id: string }
}

export type UserInput = { type: 'text'; text: string; text_elements: never[] } | { type: 'image'; url: string }

export interface DynamicTool {
  type: 'function'
  name: string
  description: string
  inputSchema: unknown
}

/** An item of the Responses API, as `thread/inject_items` and `thread/resume` take it into a thread's history. */
export type HistoryItem =
  | { type: 'message'; role: 'user' | 'developer'; content: InputContent[] }
  | { type: 'message'; role: 'assistant'; content: { type: 'output_text'; text: string }[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string }
  | { type: 'function_call_output'; call_id: string; output: string | InputContent[] }

export type InputContent = { type: 'input_text'; text: string } | { type: 'input_image'; image_url: string }

/** `item/tool/call`: Codex waits for the answer of a tool of ours. */
export interface ToolCallParams {
  callId: string
  tool: string
  arguments: unknown
}

export interface ToolCallAnswer {
  contentItems: ({ type: 'inputText'; text: string } | { type: 'inputImage'; imageUrl: string })[]
  success: boolean
}

export interface TokenCounts {
  inputTokens: number
  cachedInputTokens: number
  /** Not in 0.89. */
  cacheWriteInputTokens?: number
  outputTokens: number
  reasoningOutputTokens: number
}

export interface TurnError {
  message: string
  /** A word, or one word with details: `{"responseStreamDisconnected":{"httpStatusCode":null}}`. */
  codexErrorInfo: string | Record<string, { httpStatusCode?: number | null } | undefined> | null
}

export interface EndedTurn {
  id: string
  status: 'completed' | 'interrupted' | 'failed' | 'inProgress'
  error: TurnError | null
}
