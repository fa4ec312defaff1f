import type { ElicitRequestFormParams, ElicitResult, Transport } from '@modelcontextprotocol/client'
import type { Form, FormField, FormValues } from '../approval/index.js'
import type { Failure } from '../errors.js'
import type { ToolContext } from '../tools/index.js'
import type { ServerAnswer, ServerTool } from './tools.js'

/** Sends messages to a server and receives its messages. Hosts create transports. */
export type ServerTransport = Transport

export interface ConnectOptions {
  name: string
  transport: ServerTransport
  /** Notewright's version, for the handshake. */
  version: string
  /** Timeout for the handshake and the list of tools. */
  startMs?: number | undefined
  /** Shows a question of the server to the user. Without it the client does not offer elicitation. */
  ask?: (question: ServerQuestion, signal: AbortSignal) => Promise<ServerReply>
  /** Called when the server's tools have changed. */
  onTools?: (tools: readonly ServerTool[]) => void
  /** Called when the connection was lost. */
  onEnd?: (why: Failure) => void
}

export interface ServerQuestion {
  server: string
  /** The session whose call led to the question. */
  session: string
  message: string
  form: Form
}

export type ServerReply = { kind: 'answered'; values: FormValues } | { kind: 'refused' | 'unanswered' }

/** The part of a call's context that a server needs. */
export type ServerCaller = Pick<ToolContext, 'session' | 'signal' | 'holdClock'>

/** Connects to a server and lists its tools. Fails within `startMs`, and then cleans up. */
export type ConnectServer = (setup: ConnectOptions) => Promise<ServerConnection>

/** An open connection to a server. */
export interface ServerConnection {
  /** The server's own name and version. */
  readonly server: { name: string; version: string }
  readonly protocol: string
  /** The tools as listed last. */
  readonly tools: readonly ServerTool[]
  call(tool: string, input: Record<string, unknown>, caller: ServerCaller): Promise<ServerAnswer>
  close(): Promise<void>
}

interface ElicitationContext {
  name: string
  ask: NonNullable<ConnectOptions['ask']>
  /** The callers whose calls are running. */
  callers: ReadonlySet<ServerCaller>
}

/** Asks the user a server's question. Declines unless exactly one session has running calls: its user knows the context. */
export async function answerElicitation(
  params: Parameters<typeof elicitationForm>[0] | { mode: 'url' },
  { name, ask, callers }: ElicitationContext,
): Promise<ElicitResult> {
  const sessions = new Set([...callers].map(({ session }) => session))
  const [caller] = callers
  if (sessions.size !== 1 || caller === undefined || params.mode === 'url') return { action: 'decline' }
  const form = elicitationForm(params)
  if (form === undefined) return { action: 'decline' }
  const { session, signal } = caller
  const resumeClocks = [...callers].map(({ holdClock }) => holdClock?.())
  const answer = ask({ server: name, session, message: params.message, form }, signal)
  const reply = await answer.finally(() => {
    for (const resume of resumeClocks) resume?.()
  })
  if (reply.kind === 'answered') return { action: 'accept', content: { ...reply.values } as ElicitResult['content'] }
  return { action: reply.kind === 'refused' ? 'decline' : 'cancel' }
}

/** A server's question as a form; undefined when it asks for a field that forms do not have. */
function elicitationForm({ requestedSchema }: ElicitRequestFormParams): Form | undefined {
  const properties: Record<string, FormField> = {}
  for (const [name, schema] of Object.entries(requestedSchema.properties)) {
    const field = fieldOf(schema)
    if (field === undefined) return undefined
    properties[name] = field
  }
  return { type: 'object', properties, ...(requestedSchema.required && { required: requestedSchema.required }) }
}

function fieldOf(schema: Record<string, unknown>): FormField | undefined {
  const { title, description } = schema as { title?: string; description?: string }
  const words = { ...(title && { title }), ...(description && { description }) }
  switch (schema.type) {
    case 'boolean':
    case 'number':
    case 'integer':
      return { ...words, ...pickFields(schema, ['type', 'minimum', 'maximum', 'default']) } as FormField
    case 'string': {
      const titled = Array.isArray(schema.oneOf) ? constantValues(schema.oneOf) : undefined
      const field = pickFields(schema, ['type', 'minLength', 'maxLength', 'format', 'default', 'enum'])
      return { ...words, ...field, ...(titled && { enum: titled }) } as FormField
    }
    case 'array': {
      const choices = choicesOf(schema.items)
      const field = pickFields(schema, ['type', 'minItems', 'maxItems', 'default'])
      return choices && ({ ...words, ...field, items: { enum: choices } } as FormField)
    }
    default:
      return undefined
  }
}

/** The choices of a multiple-choice list. */
function choicesOf(items: unknown): string[] | undefined {
  const { enum: plain, anyOf, oneOf } = (items ?? {}) as { enum?: string[]; anyOf?: unknown[]; oneOf?: unknown[] }
  const titled = anyOf ?? oneOf
  return plain ?? (titled && constantValues(titled))
}

const constantValues = (choices: unknown[]): string[] => (choices as { const: string }[]).map((each) => each.const)

function pickFields(schema: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]])))
}
