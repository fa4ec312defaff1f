import type { Config } from '../../../../core/config/index.js'
import { type Familiarity, familiarity, type ServerTool } from '../../../../core/mcp/index.js'
import { offeredName } from '../../../../core/tools/index.js'

export interface ToolState {
  tool: ServerTool
  state: Familiarity
  /** Named in the settings, and what the person has seen. */
  enabled: boolean
}

export function toolStates(
  server: string,
  tools: readonly ServerTool[],
  seen: ReadonlyMap<string, ServerTool>,
  { tools: { enabled = [] } }: Pick<Config, 'tools'>,
): ToolState[] {
  return tools.map((tool) => {
    const { name } = tool
    const ids = [`${server}/${name}`, `mcp_${server}_${name}`, offeredName({ server, tool: name })]
    const state = familiarity(tool, seen)
    return { tool, state, enabled: state === 'seen' && ids.some((id) => enabled.includes(id)) }
  })
}
