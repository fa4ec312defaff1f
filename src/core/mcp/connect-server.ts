import type { Transport } from '@modelcontextprotocol/client'
import type { Form, FormValues } from '../approval/index.js'
import type { Failure } from '../errors.js'
import type { ToolContext } from '../tools/index.js'
import type { ServerAnswer } from './server-answer.js'
import type { ServerTool } from './server-tool.js'

/** How messages get to a server and back. Hosts make them. */
export type ServerTransport = Transport

export interface ServerSetup {
  name: string
  transport: ServerTransport
  /** Our own version, for the greeting. */
  version: string
  /** How long it may take to be there with its tools. */
  startMs?: number
  /** Puts its question before a person; without it, servers are told that nobody can be asked. */
  ask?: (question: ServerQuestion, signal: AbortSignal) => Promise<ServerReply>
  /** Its tools have changed. */
  onTools?: (tools: readonly ServerTool[]) => void
  /** It has gone, and did not say so. */
  onEnd?: (why: Failure) => void
}

export interface ServerQuestion {
  server: string
  /** Whose call made it ask. */
  session: string
  message: string
  form: Form
}

export type ServerReply = { kind: 'answered'; values: FormValues } | { kind: 'refused' | 'unanswered' }

/** Whose call it is. */
export type Caller = Pick<ToolContext, 'session' | 'signal' | 'holdClock'>

/** Greets a server and reads its tools. Fails within `startMs`, and then leaves nothing behind. */
export type ConnectServer = (setup: ServerSetup) => Promise<ServerConnection>

/** A server that is there. */
export interface ServerConnection {
  /** What it calls itself. */
  readonly server: { name: string; version: string }
  readonly protocol: string
  /** As it listed them last. */
  readonly tools: readonly ServerTool[]
  call(tool: string, input: Record<string, unknown>, caller: Caller): Promise<ServerAnswer>
  close(): Promise<void>
}

/** With the protocol's own package, which is loaded when there is a server to speak to. */
export const connectServer: ConnectServer = async (setup) => {
  const { openConnection } = await import('./open-connection.js')
  return openConnection(setup)
}
