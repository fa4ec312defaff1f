import { welcomeQuestions } from '../../../../core/session/index.js'
import type { Invocation } from '../../program/invocation.js'
import type { OpenedSession } from '../../session/with-session.js'
import { count } from '../../show/quantities.js'
import { cutPath, type Terminal, visibleLine, wrapPainted, wrapToWidth } from '../../terminal/index.js'
import type { Reading } from './first-reading.js'

/** What could be asked here, of notes that a model may see, in lines for the screen. */
export async function suggestedQuestions({ vault: { notebook }, session }: OpenedSession, terminal: Terminal) {
  const { guard, context } = await session.toolSetup()
  const { read } = guard.screen(context).vault
  const questions = await welcomeQuestions({ vault: notebook.vault, read })
  if (questions.length === 0) return ''
  const lines = questions.map((question) => wrapPainted(`  ${visibleLine(question)}`, terminal.messageWidth))
  return `${[terminal.messageStyle.faint('These notes can answer, for example:'), ...lines].join('\n')}\n`
}

/** What a person sees before the first prompt: where they are, and how to begin. */
export async function welcome(
  { vault: { notebook }, session }: OpenedSession,
  reading: Pick<Reading, 'progress'>,
  { terminal, version }: Invocation,
): Promise<string> {
  const style = terminal.messageStyle
  const isRead = reading.progress() === undefined
  const size = isRead ? ` (${count((await notebook.status()).notes, 'note')})` : ''
  const name = `Notewright ${version}  `
  const root = cutPath(visibleLine(notebook.root), terminal.messageWidth - name.length - size.length - 1)
  const isOffline = (await session.model()).provider === 'offline'
  const wrapped = (text: string) => wrapToWidth(text, terminal.messageWidth - 1)
  return [
    `${style.strong('Notewright')} ${version}  ${root}${size}`,
    ...(isOffline ? wrapped('No language model is set up, so your notes are quoted. /model sets one.') : []),
    ...(isRead ? [] : wrapped('Your notes are being read; you can write already.')),
    ...wrapped('Ask anything. / shows commands, @ names a note, Ctrl-C twice leaves.').map(style.faint),
    '',
  ].join('\n')
}
