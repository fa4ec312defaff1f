import { type CallToolResult, ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { Failure } from '../../core/errors.js'
import { isRecord } from '../../core/is-record.js'
import { cutText, runTool, type ToolProgress, type ToolResult } from '../../core/tools/index.js'
import { askByElicitation, type CallAnswer, type PausedCalls, waitInQueue } from './approval.js'
import { clientCallLog, progressReporter, type SendLog } from './client-log.js'
import type { Caller, Client, PendingApprovalListener } from './clients.js'
import type { McpSetup } from './setup.js'
import { offeredTools } from './tools.js'

/** The request a call belongs to, and its client. */
export interface CallContext {
  setup: McpSetup
  client: Client
  caller: Caller
  parked: PausedCalls
  context: ServerContext
  send: SendLog
}

/** Maximum tokens of a result. It is sent as text and as data, and clients complain about more. */
const maxResultTokens = 8000

/** A tool call of a client. */
interface ClientCall {
  name: string
  input: unknown
}

/** Runs a tool with the same checks, policy and log as a call of the agent. */
export async function callTool(call: ClientCall, callContext: CallContext): Promise<CallAnswer> {
  const { setup, caller, parked, context, send } = callContext
  const start = (listener: PendingApprovalListener, signal: AbortSignal) => runCall(call, callContext, listener, signal)
  try {
    if (!caller.canShowForms || !setup.client?.trustsForms) {
      const queue = waitInQueue(context, send)
      return { done: queue.explain(await start(queue.listener, context.mcpReq.signal)) }
    }
    if (!caller.isModern) return { done: await start(askByElicitation(context, caller), context.mcpReq.signal) }
    return await parked.run({ text: JSON.stringify([call.name, call.input]), context, caller }, start)
  } catch (error) {
    // Failures before a tool is found: a vault that cannot be opened, an invalid rule, an expired approval.
    if (error instanceof Failure) return { done: failedResult(call.name, error) }
    throw error
  }
}

async function runCall(
  { name, input }: ClientCall,
  { setup, client, context, send }: CallContext,
  listener: PendingApprovalListener,
  signal: AbortSignal,
): Promise<ToolResult> {
  const id = crypto.randomUUID()
  const stopListening = client.listen(id, listener)
  try {
    const [vaultName, rest] = splitVault(input, setup)
    const { vault, session } = await client.sessionOn(vaultName)
    const tools = await session.toolSetup(AbortSignal.any([signal, client.closing]))
    const progress = progressReporter(context)
    const log = clientCallLog(name, send)
    const report = (step: ToolProgress) => {
      progress(step)
      log.report(step)
    }
    return await runTool(
      { id, name, input: rest },
      {
        ...tools,
        offered: new Set(offeredTools(vault, setup).map((tool) => tool.name)),
        context: { ...tools.context, room: maxResultTokens, report },
        onStep: log.step,
      },
    )
  } finally {
    stopListening()
  }
}

/** Separates the argument `vault`, which every tool takes when several vaults are served. */
function splitVault(input: unknown, { vaults }: McpSetup): [string | undefined, unknown] {
  if (vaults.names.length < 2 || !isRecord(input) || input.vault === undefined) return [undefined, input]
  const { vault, ...rest } = input
  return [String(vault), rest]
}

function failedResult(name: string, { code, message, details: { hint } }: Failure): ToolResult {
  return { callId: '', name, ok: false, code, text: message, ...(hint && { hint }) }
}

/** Maximum bytes of a result, text and data together. Clients cut or refuse longer ones. */
const maxAnswerBytes = 60_000

/** The result of a call for the client: text for the model and the same as data, or a failure with a hint. */
export function toolCallResult(result: ToolResult): CallToolResult {
  if (result.ok) {
    const { text, output } = result
    return {
      content: [{ type: 'text', text: fitText(text, output) }],
      structuredContent: output as Record<string, unknown>,
    }
  }
  // A protocol error: the client's list of tools is outdated.
  if (result.code === 'unknown-tool') throw new ProtocolError(ProtocolErrorCode.InvalidParams, result.text)
  return { content: [{ type: 'text', text: JSON.stringify(failureContent(result)) }], isError: true }
}

/** Sent as text: clients validate `structuredContent` against the schema of the tool even for failures. */
function failureContent({ code, text, reason = text, hint, modelHint }: Extract<ToolResult, { ok: false }>) {
  const advice = [hint, modelHint].filter(Boolean).join(' ')
  return { code, text: reason, ...(advice && { hint: advice }) }
}

/** Shortens the text, never the data, which contains all of it. */
function fitText(text: string, output: unknown): string {
  const remaining = maxAnswerBytes - bytesOf(JSON.stringify(output) ?? '')
  if (bytesOf(JSON.stringify(text)) <= remaining) return text
  return `${cutText(text, Math.max(1000, Math.floor(remaining / 4)))}\n[Truncated. structuredContent has the full text.]`
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
