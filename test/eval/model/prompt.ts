export interface Call {
  name: string
  input: Record<string, unknown>
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  /** Calls that came by the protocol's own way. */
  calls?: (Call & { id?: string })[]
  /** For a result: the call it belongs to. */
  callId?: string
  toolName?: string
}

export interface OfferedTool {
  name: string
  schema: Readonly<Record<string, unknown>>
}

/** A request as it reaches a model, whatever its server speaks: only what fitted into the window is in it. */
export interface Prompt {
  messages: Message[]
  tools: OfferedTool[]
}

export interface Reply {
  text?: string
  calls?: Call[]
}
