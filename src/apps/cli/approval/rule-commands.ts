import type { Command } from 'commander'
import { type Explanation, levelTexts, type RememberedGrant, type Rule } from '../../../core/approval/index.js'
import { explainCall } from '../../../core/session/index.js'
import { addRule, permissionRows, type RuleLocation, revokeRule } from '../../../hosts/node/settings/permissions.js'
import { examples } from '../program/help.js'
import type { Invocation, Run } from '../program/invocation.js'
import { approvalOptions } from '../program/options.js'
import { type SessionFlags, withSession } from '../session/open-session.js'
import { locateVault, readSettings } from '../session/settings.js'
import { type Terminal, visibleLine } from '../terminal/terminal.js'
import { padToWidth } from '../terminal/text-width.js'

export function declareApprovalRules(command: Command, run: Run, list: 'rules' | 'list'): void {
  command
    .command(list)
    .description('List the approval level, every rule and its source, and what is always allowed.')
    .addHelpText('after', examples(['notewright approvals rules'], ['notewright approvals rules --json']))
    .action(() => run((to) => permissionsList(to)))
  command
    .command('add')
    .description(
      'Add a rule that decides without asking you.\nAn "allow" rule applies to this vault; "ask" and "deny" rules are saved in your settings for every vault.',
    )
    .argument('<rule>', 'e.g. "allow: append_note(Inbox/**)" or "deny: reads(folder:Journal)"')
    .addHelpText(
      'after',
      examples(
        ['notewright approvals add "allow: edit_note(Projects/**)"', 'this vault, until revoked'],
        ['notewright approvals add "deny: writes(tag:#final)"', 'your settings, every vault'],
      ),
    )
    .action((rule: string) => run((to) => permissionsAdd(to, rule)))
  command
    .command('revoke')
    .description('Remove a rule, or something you always allowed.')
    .argument('<rule>', 'the rule, or its id in `approvals rules`')
    .addHelpText('after', examples(['notewright approvals revoke "edit_note(Projects/**)"']))
    .action((what: string) => run((to) => permissionsRevoke(to, what)))
  approvalOptions(
    command
      .command('explain')
      .description('Show how a tool call would be decided, and by which rule. Runs nothing.')
      .argument('<tool>', 'tool to check')
      .option('--input <json>', 'arguments of the call, as JSON'),
  )
    .addHelpText(
      'after',
      examples([`notewright approvals explain write_note --input '{"path": "Inbox/x.md", "content": "x"}'`]),
    )
    .action((name: string, options) => run((to) => permissionsExplain(to, name, options)))
}

export async function permissionsList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withSession(invocation, {}, async ({ session: { guard }, vault }) => {
    const { level, grants, ...told } = await permissionRows(guard, vault.settings.consent)
    if (terminal.json) return terminal.printJson({ level, ...told, grants })
    const rules = guard.rules()
    const { style } = terminal
    terminal.print(`${style.strong('Approvals')}  ${level}: ${levelTexts[level]}`)
    terminal.print(`\n${style.strong('Rules')}`)
    if (rules.length === 0) terminal.print(style.faint('  none'))
    for (const effect of ['deny', 'ask', 'allow'] as const) {
      for (const rule of rules.filter((each) => each.effect === effect)) terminal.print(ruleLine(rule, terminal))
    }
    terminal.print(`\n${style.strong('Always allowed in this vault')}`)
    if (grants.length === 0) terminal.print(style.faint('  nothing yet; choose "always" when you approve a request'))
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

export async function permissionsAdd(invocation: Invocation, text: string): Promise<void> {
  const { terminal } = invocation
  const added = await addRule(text, await ruleSettingsLocation(invocation))
  if (terminal.json) return terminal.printJson(added)
  const words = { allow: 'Always allowed in this vault', deny: 'Always denied', ask: 'Always asks' }
  terminal.say(`${words[added.effect]}: ${visibleLine(added.rule)}`)
}

export async function permissionsRevoke(invocation: Invocation, what: string): Promise<void> {
  const { terminal } = invocation
  const revoked = await revokeRule(what, await ruleSettingsLocation(invocation))
  if (terminal.json) return terminal.printJson({ revoked })
  for (const rule of revoked) terminal.say(`Removed: ${visibleLine(rule)}`)
}

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

export async function ruleSettingsLocation(invocation: Invocation): Promise<RuleLocation> {
  const setup = await readSettings(invocation)
  return {
    setup,
    root: async () => (await locateVault(invocation, setup)).root,
    onTrouble: (text) => invocation.terminal.say(visibleLine(text)),
  }
}
