import type { Explanation } from '../../../../core/approval/index.js'
import { explainCall } from '../../../../core/session/index.js'
import type { Invocation } from '../../program/invocation.js'
import { type SessionFlags, withSession } from '../../session/with-session.js'
import { type Terminal, visibleLine } from '../../terminal/index.js'

export async function permissionsExplain(
  invocation: Invocation,
  name: string,
  { input, ...options }: SessionFlags & { input?: string },
): Promise<void> {
  const { terminal } = invocation
  await withSession(invocation, options, async ({ session }) => {
    const explanation = await explainCall(session, { name, input: input ?? '' })
    if (terminal.json) return terminal.printJson(explanation)
    show(explanation, terminal)
  })
}

function show({ effect, rule, reason, asks, level, considered }: Explanation, { style, print }: Terminal): void {
  const paint = { deny: style.bad, ask: style.warning, allow: style.good }[effect]
  print(`${paint(effect)}  ${visibleLine(reason)}`)
  print(`${style.faint('decided by')} ${visibleLine(rule)}`)
  for (const ask of asks) print(`${style.faint('asks')}       ${visibleLine(ask.reason)}`)
  print(`${style.faint('level')}      ${level.name}: ${level.about}`)
  for (const { name, from, applies, why } of considered) {
    print(
      `${style.faint('rule')}       ${visibleLine(name)}  ${style.faint(`${from}; ${applies ? '' : 'does not apply: '}${visibleLine(why)}`)}`,
    )
  }
}
