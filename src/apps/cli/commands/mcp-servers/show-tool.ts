import { type ServerTool, titleOf } from '../../../../core/mcp/index.js'
import { jsonLine, type Terminal, visibleLine, visibleText } from '../../terminal/index.js'
import type { ToolState } from './enabled-tools.js'

/** A tool as its server describes it: the whole of it, with nothing hidden. Where it has changed, both ways. */
export function showTool(
  { tool, state, enabled }: ToolState,
  before: ServerTool | undefined,
  terminal: Terminal,
): void {
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
  return [...visibleBlanks(description).split('\n'), ...jsonLine(schemas, 2).split('\n')]
}

/** Room that pushes words out of sight is drawn: a run of blanks as dots, empty lines as their number. */
export function visibleBlanks(text: string): string {
  return visibleText(text)
    .replace(/\t/g, '→')
    .replace(/[ \u00a0]{2,}/g, (blanks) =>
      blanks.length > 20 ? `⟦${blanks.length} blanks⟧` : '·'.repeat(blanks.length),
    )
    .replace(/\n(?:[·→ ]*\n){2,}/g, (lines) => `\n⟦${lines.split('\n').length - 2} empty lines⟧\n`)
}
