import { inputSchema, type Tool } from '../../../../core/tools/index.js'
import type { Invocation } from '../../program/invocation.js'
import { configuredTools } from '../../session/configured-tools.js'
import { readSettings } from '../../session/open-vault.js'
import { cutToWidth, padToWidth, visibleLine } from '../../terminal/index.js'

export async function toolList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const { config } = await readSettings(invocation)
  const { registry, toolset } = configuredTools(config)
  const tools = registry.all().map(({ tool }) => tool)
  if (terminal.json) return terminal.printJson({ tools: tools.map((tool) => asData(tool, toolset.names)) })
  const width = Math.max(...tools.map(({ name }) => name.length))
  const { style } = terminal
  for (const [category, members] of registry.byCategory()) {
    terminal.print(style.strong(category))
    for (const tool of members) {
      const mark = toolset.names.has(tool.name) ? style.good('on ') : style.faint('off')
      const about = cutToWidth(visibleLine(firstSentence(tool.description)), terminal.width - width - 8)
      terminal.print(`  ${mark} ${padToWidth(tool.name, width)}  ${style.faint(about)}`)
    }
  }
  if (!config.tools.calling) terminal.say('No tools are offered to models: tools.calling is false.')
}

function asData(tool: Tool, enabled: ReadonlySet<string>) {
  const { name, title, description, category, effects } = tool
  return { name, title, description, category, effects, enabled: enabled.has(name), inputSchema: inputSchema(tool) }
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
