import type { NotewrightPlugin } from '../plugin.js'
import { toolsOn } from '../settings/tool-groups.js'

/** What is switched on, or always is. */
export async function offeredTools(plugin: NotewrightPlugin): Promise<string> {
  const { registry, settings } = (await plugin.opened()).vault
  const on = toolsOn(registry, settings.tools.enabled)
  const offered = registry.all().filter(({ tool }) => tool.alwaysOn || on.has(tool.name))
  const lines = offered.map(({ tool }) => `${tool.name}  ${tool.title}`)
  const off = 'AI tool calling is off: these are for offline answers, and a language model is offered none.'
  return [...(settings.tools.calling ? [] : [off, '']), ...lines].join('\n')
}
