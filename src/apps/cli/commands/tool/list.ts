import { configuredTools, toolRows } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings } from '../../session/locate-vault.js'
import { cutToWidth, padToWidth, visibleLine } from '../../terminal/index.js'

export async function toolList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const setting = await readSettings(invocation)
  const configured = await configuredTools(setting)
  const rows = toolRows(configured)
  for (const trouble of configured.troubles) terminal.say(visibleLine(trouble))
  if (terminal.json) return terminal.printJson({ tools: rows })
  const { registry, toolset } = configured
  const width = Math.max(...rows.map(({ name }) => name.length))
  const { style } = terminal
  for (const [category, members] of registry.byCategory()) {
    terminal.print(style.strong(category))
    for (const tool of members) {
      const mark = toolset.names.has(tool.name) ? style.good('on ') : style.faint('off')
      const about = cutToWidth(visibleLine(firstSentence(tool.description)), terminal.width - width - 8)
      terminal.print(`  ${mark} ${padToWidth(tool.name, width)}  ${style.faint(about)}`)
    }
  }
  if (!setting.config.tools.calling) terminal.say('No tools are offered to models: tools.calling is false.')
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
