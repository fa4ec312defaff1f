import { findTool } from '../../../../core/tools/index.js'
import { configuredTools, toolDetails } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { readSettings } from '../../session/locate-vault.js'
import { exampleCall } from '../../show/example-call.js'
import { jsonLine, visibleText, wrapToWidth } from '../../terminal/index.js'

export async function toolShow(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  const configured = await configuredTools(await readSettings(invocation))
  const data = toolDetails(configured, name)
  if (terminal.json) return terminal.printJson(data)
  const { tool, source } = findTool(configured.registry, { name, input: {} }).registered
  const { style, width } = terminal
  terminal.print(`${style.strong(tool.title)}  ${tool.name}  ${data.enabled ? style.good('on') : style.faint('off')}`)
  for (const line of wrapToWidth(visibleText(tool.description), width)) terminal.print(line)
  terminal.print('')
  const rows = [
    ['category', tool.category],
    ['effects', tool.effects.join(', ') || 'none'],
    ['also called', data.aliases.join(', ')],
    ['from', visibleText(source)],
  ]
  for (const [label, value] of rows) if (value !== '') terminal.print(`${style.faint(label.padEnd(12))} ${value}`)
  if (data.guidance) {
    terminal.print(`\n${style.faint('guidance')}`)
    for (const line of wrapToWidth(visibleText(data.guidance), width)) terminal.print(line)
  }
  if (tool.example) terminal.print(`\n${style.faint('example')}\n${visibleText(exampleCall(tool))}`)
  terminal.print(`\n${style.faint('input')}\n${jsonLine(data.inputSchema, 2)}`)
}
