import { Option } from 'commander'
import { Failure } from '../../../core/errors.js'
import { count } from '../../../core/text/index.js'
import type { ChangeRule, PlannedChanges } from '../../../core/vault/index.js'
import { examples, rare } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { type ChangeOptions, changeOptions, collected, nothingChanged } from '../program/options.js'
import { type CallDone, callForCommand } from '../session/call-tool.js'
import { shortId } from '../session/last-change.js'
import { withSession } from '../session/open-session.js'
import { showPlanned, showRules } from '../show/changes.js'
import { type Terminal, terminalText } from '../terminal/terminal.js'

export const declareChange: DeclareCommand = (command, run) => {
  changeOptions(
    command
      .argument('[notes...]', 'notes to change, by path, name or alias')
      .option('--where <expression>', 'an expression of Obsidian Bases; "true" for all notes')
      .option('--folder <folder>', 'only notes in this folder and below')
      .option('--tag <tag>', 'only notes with this tag; repeat for more, all must match', collected)
      .option('--except <path>', 'note to leave out; repeat for more', collected)
      .option('--set <property=value>', 'set a property; repeat for more', collected)
      .option('--remove <property>', 'remove a property; repeat for more', collected)
      .option('--add-tag <tag>', 'add a tag; repeat for more', collected)
      .option('--remove-tag <tag>', 'remove a tag; repeat for more', collected)
      .option('--rename-tag <old=new>', 'rename a tag and the tags below it; repeat for more', collected)
      .option('--replace <text>', 'text to replace in the notes; needs --with')
      .option('--with <text>', 'the new text')
      .option('--append <text>', 'add lines at the end')
      .option('--prepend <text>', 'add lines after the properties')
      .option('--move-to <folder>', 'move the notes and update all links to them'),
  )
  for (const option of [
    new Option('--regex', '--replace is a regular expression, $1 in --with its first group'),
    new Option('--ignore-case', '--replace matches in any capitals'),
    new Option('--heading <heading>', 'section for --append and --prepend'),
    new Option('--operations <json>', 'operations as JSON, as the tool change_notes takes them'),
  ]) {
    command.addOption(rare(option))
  }
  command
    .addHelpText(
      'after',
      examples(
        [`notewright change --where 'status == "open"' --set status=done --dry-run`],
        ['notewright change --tag book --set rating=5 --add-tag owned'],
        ['notewright change --rename-tag work=projects/work --where true'],
        ['notewright change --folder Inbox --move-to Archive/2025', 'moves notes, updates links'],
        ['notewright change --where true --replace "ACME Inc" --with "ACME Ltd" --yes --json', 'in a script'],
      ),
    )
    .action((notes: string[], options: CommandOptions) => run((to) => change(to, notes, options)))
}

interface CommandOptions extends ChangeOptions {
  where?: string
  folder?: string
  tag?: string[]
  except?: string[]
  set?: string[]
  remove?: string[]
  addTag?: string[]
  removeTag?: string[]
  renameTag?: string[]
  replace?: string
  with?: string
  append?: string
  prepend?: string
  moveTo?: string
  regex?: boolean
  ignoreCase?: boolean
  heading?: string
  operations?: string
}

async function change(invocation: Invocation, notes: string[], options: CommandOptions): Promise<void> {
  const { where, folder, tag: tags, except, yes, dryRun } = options
  const operations = operationsOf(options)
  if (operations.length === 0) {
    throw new Failure('invalid-input', 'No change is given.', {
      hint: 'For example: notewright change --tag book --set status=read --dry-run',
    })
  }
  if (notes.length === 0 && [where, folder, tags].every((given) => given === undefined)) {
    throw new Failure('invalid-input', 'No notes are given.', {
      hint: 'Name notes, or use --where, --folder or --tag. For all notes: --where true',
    })
  }
  const input = Object.fromEntries(
    Object.entries({ where, folder, tags, paths: notes.length > 0 ? notes : undefined, except, operations }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  await withSession(invocation, { yes, dryRun }, async (opened) => {
    const call = { name: 'change_notes', input, needsApproval: 'Changing notes' }
    report(await callForCommand(opened, call, invocation.signal), invocation.terminal)
  })
}

/** In the order of the options in the help: properties, tags, text, move. */
function operationsOf(options: CommandOptions): Record<string, unknown>[] {
  const { set = [], remove = [], addTag = [], removeTag = [], renameTag = [] } = options
  const { replace, regex, ignoreCase, append, prepend, heading, moveTo, operations } = options
  if ((replace === undefined) !== (options.with === undefined)) {
    throw new Failure('invalid-input', 'Use --replace together with --with.', { hint: 'To remove text: --with ""' })
  }
  const under = heading === undefined ? {} : { heading }
  return [
    ...set.map((text) => {
      const [property, value] = pair('--set', text)
      return { op: 'set_property', property, value: parsedValue(value) }
    }),
    ...remove.map((property) => ({ op: 'remove_property', property })),
    ...addTag.map((tag) => ({ op: 'add_tag', tag })),
    ...removeTag.map((tag) => ({ op: 'remove_tag', tag })),
    ...renameTag.map((text) => {
      const [tag, to] = pair('--rename-tag', text)
      return { op: 'rename_tag', tag, to }
    }),
    ...(replace === undefined
      ? []
      : [
          {
            op: 'replace_text',
            find: replace,
            replace: options.with,
            ...(regex && { regex }),
            ...(ignoreCase && { ignore_case: true }),
          },
        ]),
    ...(append === undefined ? [] : [{ op: 'append', text: append, ...under }]),
    ...(prepend === undefined ? [] : [{ op: 'prepend', text: prepend, ...under }]),
    ...(moveTo === undefined ? [] : [{ op: 'move', to: moveTo }]),
    ...(operations === undefined ? [] : operationsIn(operations)),
  ]
}

function pair(option: string, text: string): [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  throw new Failure('invalid-input', `${option} takes two parts with = between them, not ${JSON.stringify(text)}.`)
}

/** `5`, `true` and `["a", "b"]` are what they are in JSON, everything else is text. */
function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function operationsIn(json: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(json)
    if (Array.isArray(value)) return value as Record<string, unknown>[]
  } catch {
    // The failure below names the option, which says more than where the text stops being JSON.
  }
  throw new Failure('invalid-input', '--operations takes a JSON list, as in [{"op": "add_tag", "tag": "read"}].')
}

/** The output of `change_notes`. */
interface Changed {
  notes: number
  rules: Pick<ChangeRule, 'title' | 'notes' | 'places'>[]
  links?: number
  not_changed?: string[]
}

const changesShown = 5

function report({ changeSet, planned, output }: CallDone, terminal: Terminal): void {
  const { notes, rules, links, not_changed: left = [] } = output as Changed
  if (terminal.json) {
    const { id, title, changes } = changeSet ?? planned ?? { changes: [] }
    const applied = changeSet !== undefined
    terminal.printJson({
      id,
      title,
      notes,
      rules: planned?.rules ?? rules,
      ...(links !== undefined && { links }),
      notChanged: left,
      applied,
      appliedAt: changeSet?.appliedAt,
      changes,
    })
    return
  }
  if (planned !== undefined && notes > 0) printPlanned(planned, terminal)
  for (const each of left) terminal.say(terminalText(`Not changed: ${each}`))
  if (notes === 0 || planned !== undefined) {
    terminal.say(notes === 0 ? 'Nothing to change.' : nothingChanged)
    return
  }
  const { good, faint } = terminal.messageStyle
  const undo = changeSet === undefined ? '' : faint(` (undo: notewright undo ${shortId(changeSet.id)})`)
  terminal.say(`${good('✓')} ${count(notes, 'note')} changed${undo}`)
}

/** The rules, and the first few notes as an impression. */
function printPlanned(planned: PlannedChanges, terminal: Terminal): void {
  const { title, changes, rules = [] } = planned
  terminal.print(showPlanned({ ...planned, title, changes: changes.slice(0, changesShown) }, terminal))
  const more = changes.length - changesShown
  if (more > 0) terminal.print(terminal.style.faint(`… and ${count(more, 'more file')} (show all with --json)`))
  if (rules.length > 1) terminal.print(showRules(rules, terminal.style).join('\n'))
}
