import type { Session, SessionOptions } from '../../core/session/index.js'
import { type ToolResult, toolTracer, traceLines } from '../../core/tools/index.js'
import type { PluginVault } from '../../hosts/obsidian/index.js'
import type { NotewrightPlugin } from './plugin.js'

/** Logs the available tools, and the outcomes of calls in every session. */
export function logSteps(vault: PluginVault, plugin: NotewrightPlugin): void {
  const registered = (names: readonly { tool: { name: string } }[]) => {
    for (const { tool } of names)
      for (const line of traceLines({ step: 'registered', tool: tool.name })) plugin.debug(line)
  }
  registered(vault.registry.all())
  vault.registry.onChange(({ came }) => registered(came))
  const open = vault.openSession.bind(vault)
  vault.openSession = async (options = {}) => {
    // A user at a terminal sees the outcome there.
    const isShown = () => options.canAsk === false || plugin.isShown(session.id)
    const session: Session = await open({ onStep: stepNews(plugin, isShown), ...options })
    return session
  }
}

/** Reports outcomes of calls: on the console for debugging, and as a notice if no pane shows them. */
function stepNews(plugin: NotewrightPlugin, isShown: () => boolean): NonNullable<SessionOptions['onStep']> {
  const trace = toolTracer((line) => plugin.debug(line))
  return (step) => {
    trace(step)
    const words = step.step === 'ended' && !isShown() ? troubleOf(step.result) : undefined
    if (words !== undefined) plugin.tell(words)
  }
}

function troubleOf(result: ToolResult): string | undefined {
  if (result.ok) return undefined
  const { code, name, text } = result
  if (code === 'denied' || code === 'needs-approval') return `Tool execution cancelled: ${name}`
  if (code === 'unknown-tool') return `Unknown tool: ${name}`
  // A call that the model has spelled wrongly is the model's to mend.
  return code === 'invalid-input' ? undefined : `Tool execution error: ${text}`
}
