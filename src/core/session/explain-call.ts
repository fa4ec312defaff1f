import type { Explanation } from '../approval/index.js'
import { understandCall } from '../tools/index.js'
import type { Session } from './session.js'

/** What would be decided about a call, by which rule and why. Nothing is run or asked. */
export async function explainCall(
  session: Session,
  { name, input }: { name: string; input: unknown },
): Promise<Explanation & { tool: string }> {
  const setup = await session.toolSetup()
  const proposed = await understandCall({ id: crypto.randomUUID(), name, input }, { ...setup, offered: undefined })
  return { tool: proposed.tool.name, ...(await session.guard.explain(proposed, setup.context)) }
}
