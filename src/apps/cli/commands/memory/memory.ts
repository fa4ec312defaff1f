import type { Config } from '../../../../core/config/index.js'
import { Failure } from '../../../../core/errors.js'
import { rememberedIn, withoutMemory } from '../../../../core/memory/index.js'
import { changeSet, mustBeUtf8, type NoteFile, notePath } from '../../../../core/vault/index.js'
import type { FolderNotebook } from '../../../../hosts/node/open-notebook.js'
import type { ChangeOptions } from '../../program/change-options.js'
import type { Invocation } from '../../program/invocation.js'
import { withReadableNotebook } from '../../session/readable-notebook.js'
import { changesAsData, diffExcerpt } from '../../show/show-change-set.js'
import { confirm, visibleLine } from '../../terminal/index.js'

export async function memoryList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withReadableNotebook(invocation, async (notebook, config) => {
    const file = await memoryNote(notebook, config)
    const memories = rememberedIn(file?.text ?? '').reverse()
    if (terminal.json) {
      const shown = memories.map(({ number, text, from }) => ({ number, text, line: from + 1 }))
      return terminal.printJson({ note: config.memory.note, memories: shown })
    }
    if (memories.length === 0) {
      return terminal.say('Nothing is remembered yet. To begin: notewright ask "@memory I garden in zone 7"')
    }
    const width = String(memories.length).length
    for (const { number, text } of memories) {
      terminal.print(`${terminal.style.faint(String(number).padStart(width))}  ${visibleLine(text)}`)
    }
    terminal.say(terminal.messageStyle.faint(`Kept in ${visibleLine(config.memory.note)}`))
  })
}

export async function memoryForget(invocation: Invocation, number: number, options: ChangeOptions): Promise<void> {
  const { terminal, signal } = invocation
  await withReadableNotebook(invocation, async (notebook, config) => {
    const file = await memoryNote(notebook, config)
    const memories = rememberedIn(file?.text ?? '')
    const memory = memories.find((each) => each.number === number)
    if (file === undefined || memory === undefined) throw notThere(number, memories.length)
    mustBeUtf8(file)
    const after = new TextEncoder().encode(withoutMemory(file.text, memory))
    const changes = changeSet(`Forget "${memory.text}"`, [{ kind: 'edit', path: file.path, before: file.hash, after }])
    if (!terminal.json) terminal.print(await diffExcerpt(changes, notebook, terminal))
    if (options.dryRun) {
      if (terminal.json) {
        terminal.printJson({ id: changes.id, applied: false, changes: await changesAsData(changes, notebook, true) })
      } else terminal.say('Nothing was changed (--dry-run).')
      return
    }
    if (!options.yes) await confirm(terminal, { text: 'Forget it?', needs: 'Forgetting needs your approval.', signal })
    await notebook.apply(changes)
    if (terminal.json) return terminal.printJson({ id: changes.id, applied: true, forgotten: memory.text })
    terminal.say(`Forgotten. To take it back: notewright undo ${changes.id}`)
  })
}

function memoryNote({ vault }: FolderNotebook, { memory }: Config): Promise<NoteFile | undefined> {
  return vault.read(notePath(memory.note))
}

function notThere(number: number, count: number): Failure {
  const hint = count === 0 ? 'Nothing is remembered yet.' : `There is 1 to ${count}: notewright memory list`
  return new Failure('not-found', `There is no memory ${number}.`, { hint })
}
