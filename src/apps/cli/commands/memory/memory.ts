import { keptMemories, planForget } from '../../../../core/memory/index.js'
import type { ChangeOptions } from '../../program/change-options.js'
import type { Invocation } from '../../program/invocation.js'
import { withReadableNotebook } from '../../session/readable-notebook.js'
import { changesAsData, diffExcerpt } from '../../show/show-change-set.js'
import { confirm, visibleLine } from '../../terminal/index.js'

export async function memoryList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withReadableNotebook(invocation, async (notebook, config) => {
    const { note } = config.memory
    const memories = await keptMemories(notebook.vault, note)
    if (terminal.json) return terminal.printJson({ note, memories })
    if (memories.length === 0) {
      return terminal.say('Nothing is remembered yet. To begin: notewright ask "@memory I garden in zone 7"')
    }
    const width = String(memories.length).length
    for (const { number, text } of memories) {
      terminal.print(`${terminal.style.faint(String(number).padStart(width))}  ${visibleLine(text)}`)
    }
    terminal.say(terminal.messageStyle.faint(`Kept in ${visibleLine(note)}`))
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
      } else terminal.say('Nothing was changed (--dry-run).')
      return
    }
    if (!options.yes) await confirm(terminal, { text: 'Forget it?', needs: 'Forgetting needs your approval.', signal })
    await notebook.apply(changes)
    if (terminal.json) return terminal.printJson({ id: changes.id, applied: true, forgotten })
    terminal.say(`Forgotten. To take it back: notewright undo ${changes.id}`)
  })
}
