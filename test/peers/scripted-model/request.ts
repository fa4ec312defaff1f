/** A request as it reaches the model, whatever protocol it came by. The model knows nothing else. */
export interface ModelRequest {
  messages: Message[]
  tools: Tool[]
  choice: 'auto' | 'none' | 'required' | { name: string }
  parallel: boolean
  /** The answer must be JSON, of this schema where there is one. */
  json?: { schema?: Schema }
  maxTokens?: number
  /** Stop sequences: the reply ends before them. */
  stop?: string[]
}

export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  text: string
  images?: number
  calls?: { name: string }[]
}

export interface Tool {
  name: string
  description: string
  schema: Schema
}

export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  description?: string
  minItems?: number
}

export interface ModelReply {
  reasoning?: string
  text?: string
  calls?: { name: string; arguments: string }[]
  /** It had more to say than it might. */
  isCut?: true
}

export function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / 4))
}
