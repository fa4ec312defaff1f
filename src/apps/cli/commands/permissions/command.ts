import { examples, whenAlone } from '../../program/command-words.js'
import { consentOptions } from '../../program/consent-options.js'
import type { DeclareCommand } from '../../program/declare-command.js'

export const declarePermissions: DeclareCommand = (program, run) => {
  const permissions = program
    .command('permissions')
    .description('Show and change what may happen without asking, and what never may.')
    .addHelpText('after', examples(['notewright permissions list'], ['notewright permissions explain delete_note']))
  permissions
    .command('list')
    .description('List the consent level, every rule and where it comes from, and what you allowed for always.')
    .addHelpText('after', examples(['notewright permissions list'], ['notewright permissions list --json']))
    .action(() => run(async (to) => (await import('./list.js')).permissionsList(to)))
  permissions
    .command('add')
    .description('Add a rule: "allow" for this vault as if you had answered always; "ask" and "deny" to your settings.')
    .argument('<rule>', 'e.g. "allow: append_note(Inbox/**)" or "deny: reads(folder:Journal)"')
    .addHelpText(
      'after',
      examples(
        ['notewright permissions add "allow: edit_note(Projects/**)"', 'this vault, until revoked'],
        ['notewright permissions add "deny: writes(tag:#final)"', 'your settings, every vault'],
      ),
    )
    .action((rule: string) => run(async (to) => (await import('./add.js')).permissionsAdd(to, rule)))
  permissions
    .command('revoke')
    .description('Take back something you allowed for always, or a rule of your settings.')
    .argument('<what>', 'the id that `permissions list` shows, or the rule itself')
    .addHelpText('after', examples(['notewright permissions revoke "edit_note(Projects/**)"']))
    .action((what: string) => run(async (to) => (await import('./revoke.js')).permissionsRevoke(to, what)))
  consentOptions(
    permissions
      .command('explain')
      .description('Say what would be decided about a call, by which rule and why. Nothing is run or asked.')
      .argument('<tool>', 'the tool')
      .option('--input <json>', 'its arguments as JSON'),
  )
    .addHelpText(
      'after',
      examples([`notewright permissions explain write_note --input '{"path": "Inbox/x.md", "content": "x"}'`]),
    )
    .action((name: string, options) =>
      run(async (to) => (await import('./explain.js')).permissionsExplain(to, name, options)),
    )
  whenAlone(permissions, () => run(async (to) => (await import('./list.js')).permissionsList(to)))
}
