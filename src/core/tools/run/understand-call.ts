import { findTool } from '../find-tool.js'
import type { ProposedCall } from '../guard.js'
import { parseInput } from '../input/index.js'
import { proposeCall } from './propose-call.js'
import type { ToolCall } from './tool-call.js'
import type { ToolSetup } from './tool-setup.js'

/** What a call would do, found out without asking, logging or doing anything. */
export async function understandCall(
  call: ToolCall,
  { registry, offered, guard, context }: Pick<ToolSetup, 'registry' | 'offered' | 'guard' | 'context'>,
): Promise<ProposedCall> {
  const { registered, input } = findTool(registry, call, offered)
  return proposeCall(call, registered, parseInput(registered.tool, input), false, guard.screen(context))
}
