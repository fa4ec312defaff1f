import type { ServerContext } from '@modelcontextprotocol/server'
import { Failure } from '../../../core/errors.js'
import { isRecord } from '../../../core/is-record.js'
import { runTool, type ToolProgress, type ToolResult } from '../../../core/tools/index.js'
import { askByElicitation } from '../approval/ask-by-elicitation.js'
import type { CallOutcome, ParkedCalls } from '../approval/parked-calls.js'
import type { Caller } from '../clients/caller.js'
import type { Client, PanelListener } from '../clients/client.js'
import type { Say } from '../log/client-log.js'
import { toldOfCall } from '../log/told-of-call.js'
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
  say: Say
}

/** Tokens of a result: twice as text and as data they stay below what a client takes without complaint. */
const room = 8000

/** A tool by its name, and what it is called with. */
interface NamedCall {
  name: string
  input: unknown
}

/** Runs a tool as a model at the terminal would: the same checks, the same policy, the same log. */
export async function callTool(call: NamedCall, calling: Calling): Promise<CallOutcome> {
  const { caller, parked, context } = calling
  const start = (listener: PanelListener, signal: AbortSignal) => run(call, calling, listener, signal)
  try {
    if (!caller.isModern) return { done: await start(askByElicitation(context, caller), context.mcpReq.signal) }
    return await parked.run({ text: JSON.stringify([call.name, call.input]), context, caller }, start)
  } catch (error) {
    // What fails before a tool is found: a vault that cannot be opened, a rule that cannot be read, an approval that is over.
    if (error instanceof Failure) return { done: failed(call.name, error) }
    throw error
  }
}

async function run(
  { name, input }: NamedCall,
  { setup, client, context, say }: Calling,
  listener: PanelListener,
  signal: AbortSignal,
): Promise<ToolResult> {
  const id = crypto.randomUUID()
  const stopListening = client.listen(id, listener)
  try {
    const [wanted, rest] = vaultOf(input, setup)
    const { vault, session } = await client.on(wanted)
    const tools = await session.toolSetup(AbortSignal.any([signal, client.closing]))
    const progress = progressReport(context)
    const told = toldOfCall(name, say)
    const report = (step: ToolProgress) => {
      progress(step)
      told.report(step)
    }
    return await runTool(
      { id, name, input: rest },
      {
        ...tools,
        offered: new Set(offeredTools(vault, setup).map((tool) => tool.name)),
        context: { ...tools.context, room, report },
        onStep: told.step,
      },
    )
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

function failed(name: string, { code, message, details: { hint } }: Failure): ToolResult {
  const text = [message, hint].filter(Boolean).join(' ')
  return { callId: '', name, ok: false, code, text, ...(hint && { hint }) }
}
