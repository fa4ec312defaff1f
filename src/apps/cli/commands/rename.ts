import { Failure } from '../../../core/errors.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { type ChangeOptions, changeOptions, noteAndPart } from '../program/options.js'
import { callForCommand, reportChange } from '../session/call-tool.js'
import { withSession } from '../session/open-session.js'

const kinds = ['heading', 'block', 'alias', 'tag', 'property'] as const

export const declareRename: DeclareCommand = (command, run) => {
  changeOptions(
    command
      .argument('<kind>', kinds.join(', '))
      .argument('<old>', 'Note#Heading, Note#^block, Note#Alias, or the tag or property')
      .argument('<new>', 'the new name'),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright rename heading "Roof repair#Offers" "Three offers"', 'also in every link to it'],
        ['notewright rename tag work projects/work', 'in all notes, with the tags below it'],
        ['notewright rename property due deadline --dry-run'],
        ['notewright rename alias "Ada Lovelace#Ada" "Countess Lovelace"'],
        ['notewright rename block Plan.md#^a1b2c3 budget'],
      ),
    )
    .action((kind: string, from: string, to: string, options: ChangeOptions) =>
      run((invocation) => rename(invocation, kind, from, to, options)),
    )
}

async function rename(
  invocation: Invocation,
  kind: string,
  from: string,
  to: string,
  { yes, dryRun }: ChangeOptions,
): Promise<void> {
  if (!kinds.some((each) => each === kind)) {
    throw new Failure('invalid-input', `Not a thing that can be renamed: ${kind}`, {
      hint: `Use one of ${kinds.join(', ')}. To rename a note: notewright move "${kind}" "${from}"`,
    })
  }
  const input = kind === 'tag' || kind === 'property' ? { kind, from, to } : { kind, to, ...inNote(kind, from) }
  await withSession(invocation, { yes, dryRun }, async (opened) => {
    const call = { name: 'rename_in_notes', input, needsApproval: 'Renaming in notes' }
    const done = await callForCommand(opened, call, invocation.signal)
    const {
      notes,
      links,
      not_changed: notChanged = [],
    } = done.output as {
      notes: number
      links: number
      not_changed?: string[]
    }
    reportChange(done, invocation, { notes, links, notChanged })
  })
}

function inNote(kind: string, written: string): { path: string; from: string } {
  const { path, part } = noteAndPart(written)
  if (path !== '' && part !== undefined && part !== '') return { path, from: part }
  throw new Failure('invalid-input', `Name the note and the ${kind}, with # between them.`, {
    hint: `For example: notewright rename ${kind} "Roof repair#${kind === 'block' ? '^a1b2c3' : 'Offers'}" "New name"`,
  })
}
