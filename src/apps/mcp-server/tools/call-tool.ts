import type { ServerContext } from '@modelcontextprotocol/server'
import { Failure } from '../../../core/errors.js'
import { isRecord } from '../../../core/is-record.js'
import { runTool, type ToolResult } from '../../../core/tools/index.js'
import { askByElicitation } from '../approval/ask-by-elicitation.js'
import type { CallOutcome, ParkedCalls } from '../approval/parked-calls.js'
import type { Caller } from '../clients/caller.js'
import type { Client, PanelListener } from '../clients/client.js'
import type { McpSetup } from '../setup.js'
import { offeredTools } from './offered-tools.js'
import { progressReport } from './progress-report.js'

/** What a call runs with. */
export interface Calling {
  setup: McpSetup
  client: Client
  caller: Caller
  parked: ParkedCalls
  context: ServerContext
}

/** Tokens of a result: twice as text and as data they stay below what a client takes without complaint. */
const room = 8000

/** Runs a tool as a model at the terminal would: the same checks, the same policy, the same log. */
export async function callTool(
  { name, input }: { name: string; input: unknown },
  { setup, client, caller, parked, context }: Calling,
): Promise<CallOutcome> {
  const start = (listener: PanelListener, signal: AbortSignal) =>
    run({ name, input }, { setup, client, context, listener, signal })
  if (caller.isModern) return parked.run({ text: JSON.stringify([name, input]), context, caller }, start)
  return { done: await start(askByElicitation(context, caller), context.mcpReq.signal) }
}

async function run(
  { name, input }: { name: string; input: unknown },
  {
    setup,
    client,
    context,
    listener,
    signal,
  }: Pick<Calling, 'setup' | 'client' | 'context'> & { listener: PanelListener; signal: AbortSignal },
): Promise<ToolResult> {
  const id = crypto.randomUUID()
  const stopListening = client.listen(id, listener)
  try {
    const [wanted, rest] = vaultOf(input, setup)
    const { vault, session } = await client.on(wanted)
    const ends = AbortSignal.any([signal, client.closing])
    const tools = await session.toolSetup(ends)
    return await runTool(
      { id, name, input: rest },
      {
        ...tools,
        offered: new Set(offeredTools(vault, setup).map((tool) => tool.name)),
        context: { ...tools.context, room, report: progressReport(context) },
      },
    )
  } catch (error) {
    // What fails before a tool is found: a vault that cannot be opened, a rule that cannot be read.
    if (error instanceof Failure) return failed(id, name, error)
    throw error
  } finally {
    stopListening()
  }
}

/** With several vaults one argument says which; no tool has an argument of that name. */
function vaultOf(input: unknown, { vaults }: McpSetup): [string | undefined, unknown] {
  if (vaults.names.length < 2 || !isRecord(input) || input.vault === undefined) return [undefined, input]
  const { vault, ...rest } = input
  return [String(vault), rest]
}

function failed(callId: string, name: string, { code, message, details: { hint } }: Failure): ToolResult {
  const text = [message, hint].filter(Boolean).join(' ')
  return { callId, name, ok: false, code, text, ...(hint && { hint }) }
}
