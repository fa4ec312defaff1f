import { askKey } from '../../approval/index.js'
import { lastChange } from '../../session/last-change.js'
import { count } from '../../show/quantities.js'
import { diffExcerpt, keptEdits } from '../../show/show-change-set.js'
import { settledBy, settleQuestion, showConflict } from '../../show/show-conflict.js'
import { visibleLine } from '../../terminal/index.js'
import type { Chat } from './chat-at-terminal.js'

/** Shows what taking the last change back would do, and does it after a yes. */
export async function undoInChat({ vault: { notebook }, asker, invocation }: Chat): Promise<undefined> {
  const { terminal, signal } = invocation
  const style = terminal.messageStyle
  const ask = (question: string, letters: string) => askKey(asker.conversation(), question, letters, signal)
  const changeSet = await notebook.planUndo({ id: await lastChange(notebook) }, async (conflict) => {
    terminal.say(showConflict(conflict, { style }))
    return settledBy(await ask(settleQuestion, 'kt'))
  })
  terminal.say(style.strong(visibleLine(changeSet.title)))
  for (const change of changeSet.changes) {
    if (change.kind === 'move') terminal.say(`  move ${visibleLine(change.path)} to ${visibleLine(change.to)}`)
  }
  const merged = keptEdits(changeSet, { style })
  if (merged !== '') terminal.say(merged)
  const excerpt = await diffExcerpt(changeSet, notebook, { style, width: terminal.messageWidth })
  if (excerpt !== '') terminal.say(excerpt)
  const answer = await ask('Take it back? [y/N]', 'yn')
  if (!/^\s*y(es)?\s*$/i.test(answer ?? '')) return void terminal.say('Nothing was changed.')
  await notebook.apply(changeSet)
  terminal.say(`${count(changeSet.changes.length, 'change')} taken back.`)
}
