import { type ServerTool, titleOf } from '../../../../core/mcp/index.js'
import { visibleBlanks } from '../../../../core/text/index.js'
import type { ToolState } from '../../../../hosts/node/setup/index.js'
import { jsonLine, type Terminal, visibleLine, visibleText } from '../../terminal/index.js'

/** A tool as its server describes it: the whole of it, with nothing hidden. Where it has changed, both ways. */
export function showTool({ tool, state, enabled, before }: ToolState, terminal: Terminal): void {
  const { style, print } = terminal
  const mark = { seen: enabled ? style.good('on') : style.faint('off'), new: 'new', changed: style.bad('changed') }[
    state
  ]
  print(`${style.strong(visibleLine(tool.name))}  ${visibleLine(titleOf(tool))}  ${mark}`)
  if (state === 'changed' && before !== undefined) {
    const [was, is] = [linesOf(before), linesOf(tool)]
    for (const line of was.filter((each) => !is.includes(each))) print(style.bad(`- ${line}`))
    for (const line of is) print(was.includes(line) ? `  ${line}` : style.good(`+ ${line}`))
  } else for (const line of linesOf(tool)) print(`  ${line}`)
  print('')
}

function linesOf({ title, description = '', inputSchema, outputSchema, annotations }: ServerTool): string[] {
  const schemas = { title, inputSchema, outputSchema, annotations }
  return [...visibleBlanks(visibleText(description)).split('\n'), ...jsonLine(schemas, 2).split('\n')]
}
