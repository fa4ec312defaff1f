import type { Explanation } from '../../../../core/approval/index.js'
import { understandCall } from '../../../../core/tools/index.js'
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
    const setup = await session.toolSetup()
    const call = { id: crypto.randomUUID(), name, input: input ?? '' }
    const proposed = await understandCall(call, { ...setup, offered: undefined })
    const explanation = await session.guard.explain(proposed, setup.context)
    if (terminal.json) return terminal.printJson({ tool: proposed.tool.name, ...explanation })
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
