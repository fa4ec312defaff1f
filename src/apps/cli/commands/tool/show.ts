import { aliases, findTool, guidanceFor, inputSchema, outputSchema } from '../../../../core/tools/index.js'
import type { Invocation } from '../../program/invocation.js'
import { configuredTools } from '../../session/configured-tools.js'
import { readSettings } from '../../session/open-vault.js'
import { exampleCall } from '../../show/example-call.js'
import { jsonLine, visibleText, wrapToWidth } from '../../terminal/index.js'

export async function toolShow(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  const { config } = await readSettings(invocation)
  const { registry, toolset } = configuredTools(config)
  const { registered } = findTool(registry, { name, input: {} })
  const { tool, source } = registered
  const also = Object.keys(aliases).filter((alias) => aliases[alias].tool === tool.name)
  const words = guidanceFor(tool, toolset.guidance[tool.name])
  const data = {
    ...registry.metadata(tool.name),
    source,
    enabled: toolset.names.has(tool.name),
    aliases: also,
    guidance: words,
    example: tool.example,
    inputSchema: inputSchema(tool),
    outputSchema: outputSchema(tool),
  }
  if (terminal.json) return terminal.printJson(data)
  const { style, width } = terminal
  terminal.print(`${style.strong(tool.title)}  ${tool.name}  ${data.enabled ? style.good('on') : style.faint('off')}`)
  for (const line of wrapToWidth(visibleText(tool.description), width)) terminal.print(line)
  terminal.print('')
  const rows = [
    ['category', tool.category],
    ['effects', tool.effects.join(', ') || 'none'],
    ['also called', also.join(', ')],
    ['from', source],
  ]
  for (const [label, value] of rows) if (value !== '') terminal.print(`${style.faint(label.padEnd(12))} ${value}`)
  if (words) {
    terminal.print(`\n${style.faint('guidance')}`)
    for (const line of wrapToWidth(visibleText(words), width)) terminal.print(line)
  }
  if (tool.example) terminal.print(`\n${style.faint('example')}\n${visibleText(exampleCall(tool))}`)
  terminal.print(`\n${style.faint('input')}\n${jsonLine(data.inputSchema, 2)}`)
}
