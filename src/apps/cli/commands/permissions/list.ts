import { levelTexts, type RememberedGrant, type Rule } from '../../../../core/approval/index.js'
import { permissionRows } from '../../../../hosts/node/setup/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withSession } from '../../session/with-session.js'
import { padToWidth, type Terminal, visibleLine } from '../../terminal/index.js'

export async function permissionsList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withSession(invocation, {}, async ({ session: { guard }, vault }) => {
    const { level, grants, ...told } = await permissionRows(guard, vault.settings.consent)
    if (terminal.json) return terminal.printJson({ level, ...told, grants })
    const rules = guard.rules()
    const { style } = terminal
    terminal.print(`${style.strong('Consent')}  ${level}: ${levelTexts[level]}`)
    terminal.print(`\n${style.strong('Rules')}`)
    if (rules.length === 0) terminal.print(style.faint('  none'))
    for (const effect of ['deny', 'ask', 'allow'] as const) {
      for (const rule of rules.filter((each) => each.effect === effect)) terminal.print(ruleLine(rule, terminal))
    }
    terminal.print(`\n${style.strong('Allowed for always in this vault')}`)
    if (grants.length === 0) terminal.print(style.faint('  nothing yet; an approval offers it'))
    for (const grant of grants) terminal.print(grantLine(grant, terminal))
  })
}

function ruleLine({ effect, text, from }: Rule, { style }: Terminal): string {
  const paint = { deny: style.bad, ask: style.warning, allow: style.good }[effect]
  return `  ${paint(padToWidth(effect, 5))} ${visibleLine(text)}  ${style.faint(from)}`
}

function grantLine({ id, rule, createdAt, waits }: RememberedGrant, { style }: Terminal): string {
  const when = createdAt.slice(0, 10)
  return `  ${visibleLine(rule)}  ${style.faint(`${when}  ${id}${waits ? `  waits: ${visibleLine(waits)}` : ''}`)}`
}
