import { lastChange } from '../../session/last-change.js'
import { count } from '../../show/quantities.js'
import { diffExcerpt } from '../../show/show-change-set.js'
import { visibleLine } from '../../terminal/index.js'
import type { Chat } from './chat-at-terminal.js'

/** Shows what taking the last change back would do, and does it after a yes. */
export async function undoInChat({ vault: { notebook }, asker, invocation }: Chat): Promise<undefined> {
  const { terminal, signal } = invocation
  const style = terminal.messageStyle
  const changeSet = await notebook.planUndo({ id: await lastChange(notebook) })
  terminal.say(style.strong(visibleLine(changeSet.title)))
  for (const change of changeSet.changes) {
    if (change.kind === 'move') terminal.say(`  move ${visibleLine(change.path)} to ${visibleLine(change.to)}`)
  }
  const excerpt = await diffExcerpt(changeSet, notebook, { style, width: terminal.width })
  if (excerpt !== '') terminal.say(excerpt)
  const answer = await asker.conversation().ask('Take it back? [y/N]', signal)
  if (!/^\s*y(es)?\s*$/i.test(answer ?? '')) return void terminal.say('Nothing was changed.')
  await notebook.apply(changeSet)
  terminal.say(`${count(changeSet.changes.length, 'change')} taken back.`)
}
