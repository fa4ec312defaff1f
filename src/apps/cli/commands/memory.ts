import { listMemories, planForget } from '../../../core/memory.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import type { ChangeOptions } from '../program/options.js'
import { changeOptions, nothingChanged, wholeNumber, withoutSubcommand } from '../program/options.js'
import { withReadableNotebook } from '../session/open-notebook.js'
import { changesAsData, diffExcerpt } from '../show/changes.js'
import { confirm, visibleLine } from '../terminal/terminal.js'

export const declareMemory: DeclareCommand = (command, run) => {
  command.addHelpText('after', examples(['notewright memory list'], ['notewright memory forget 3']))
  command
    .command('list')
    .description('List what Notewright remembers, newest first.')
    .addHelpText('after', examples(['notewright memory list'], ['notewright memory list --json']))
    .action(() => run((to) => memoryList(to)))
  changeOptions(
    command
      .command('forget')
      .description('Remove an entry from the memory note.')
      .argument('<number>', 'its number in `memory list`', wholeNumber(1, 1_000_000)),
  )
    .addHelpText(
      'after',
      examples(
        ['notewright memory forget 3'],
        ['notewright memory forget 3 --yes', 'without asking; you can still undo it'],
      ),
    )
    .action((number: number, options) => run((to) => memoryForget(to, number, options)))
  withoutSubcommand(command, () => run((to) => memoryList(to)))
}

export async function memoryList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withReadableNotebook(invocation, async (notebook, config) => {
    const { note } = config.memory
    const memories = await listMemories(notebook.vault, note)
    if (terminal.json) return terminal.printJson({ note, memories })
    if (memories.length === 0) {
      return terminal.say('Nothing remembered yet. To add something: notewright ask "@memory I garden in zone 7"')
    }
    const width = String(memories.length).length
    for (const { number, text } of memories) {
      terminal.print(`${terminal.style.faint(String(number).padStart(width))}  ${visibleLine(text)}`)
    }
    terminal.say(terminal.messageStyle.faint(`Stored in ${visibleLine(note)}`))
  })
}

export async function memoryForget(invocation: Invocation, number: number, options: ChangeOptions): Promise<void> {
  const { terminal, signal } = invocation
  await withReadableNotebook(invocation, async (notebook, config) => {
    const { changes, forgotten } = await planForget(notebook.vault, config.memory.note, number)
    if (!terminal.json) terminal.print(await diffExcerpt(changes, notebook, terminal))
    if (options.dryRun) {
      if (terminal.json) {
        terminal.printJson({ id: changes.id, applied: false, changes: await changesAsData(changes, notebook, true) })
      } else terminal.say(nothingChanged)
      return
    }
    if (!options.yes)
      await confirm(terminal, { text: 'Remove it?', needs: 'Removing an entry needs your approval.', signal })
    await notebook.apply(changes)
    if (terminal.json) return terminal.printJson({ id: changes.id, applied: true, forgotten })
    terminal.say(`Removed. To undo: notewright undo ${changes.id}`)
  })
}
