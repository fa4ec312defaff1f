import { type ConsentLevel, levelTexts } from '../../../../core/approval/index.js'
import type { OpenedModel } from '../../../../core/providers/index.js'
import type { Session } from '../../../../core/session/index.js'
import type { NotePath } from '../../../../core/vault/index.js'
import { turnScreen } from '../../agent/index.js'
import type { Invocation } from '../../program/invocation.js'
import { reportFailure } from '../../program/report-failure.js'
import { type OpenedSession, type SessionFlags, withAgent } from '../../session/with-session.js'
import { count } from '../../show/quantities.js'
import { type Terminal, visibleLine, visibleText, wrapToWidth } from '../../terminal/index.js'
import { chatAsker } from './chat-asker.js'
import { type Keyboard, keyboard, promptHistory, readPrompt, suggestNotes } from './input/index.js'
import { runSlashCommand } from './slash-commands.js'
import { takeTurn } from './take-turn.js'

/** What Shift+Tab goes through. The others are a deliberate step: `/consent auto`. */
const levels: readonly ConsentLevel[] = ['ask', 'edit', 'read-only']
const secondPressMs = 2000

export async function chatAtTerminal(invocation: Invocation, options: SessionFlags): Promise<void> {
  const { terminal } = invocation
  const asker = chatAsker(terminal)
  await withAgent(
    invocation,
    options,
    async (opened) => {
      terminal.say(await welcome(opened, invocation))
      const stopFollowing = opened.vault.notebook.follow()
      const keys = keyboard(terminal.input, terminal.messages)
      asker.attach(keys)
      try {
        await converse({ ...opened, keys, asker, invocation })
      } finally {
        keys.close()
        stopFollowing()
      }
    },
    asker.ask,
  )
}

/** Everything a command of the chat may need. */
export interface Chat extends OpenedSession {
  keys: Keyboard
  asker: ReturnType<typeof chatAsker>
  invocation: Invocation
}

/** As the model may see them: a name that a rule hides is not offered for it. */
async function namesToSuggest(session: Session): Promise<NotePath[]> {
  try {
    const { guard, context } = await session.toolSetup()
    return await guard.screen(context).index.files()
  } catch {
    return []
  }
}

async function converse(chat: Chat): Promise<void> {
  const { session, folders, keys, invocation } = chat
  const { terminal, signal } = invocation
  const history = await promptHistory(folders.state)
  let interruptedAt = Number.NEGATIVE_INFINITY
  let initial = ''
  while (!signal.aborted) {
    const model = await session.model()
    const files = await namesToSuggest(session)
    const typed = await readPrompt(keys, terminal.messages, {
      mark: '› ',
      style: terminal.messageStyle,
      status: () => statusLine(session, model),
      initial,
      history: history.entries,
      isMultiline: true,
      suggest: (buffer) => suggestNotes(buffer, files),
      onBackTab: () => cycleLevel(session),
      signal,
    })
    initial = ''
    if (typed.kind === 'end') return
    if (typed.kind === 'interrupt') {
      if (typed.text === '' && performance.now() - interruptedAt < secondPressMs) return
      interruptedAt = performance.now()
      if (typed.text === '') terminal.say(terminal.messageStyle.faint('Press Ctrl-C again to leave.'))
      continue
    }
    const text = typed.text.trim()
    if (typed.kind === 'escape' || text === '') continue
    await history.add(text)
    const outcome = await runSlashCommand(text, chat)
    if (outcome === 'quit') return
    if (outcome === 'not-a-command') initial = await answer(text, chat)
  }
}

/** One turn. Esc and Ctrl-C stop it; what is typed meanwhile is the beginning of the next input. */
async function answer(text: string, { session, keys, asker, invocation }: Chat): Promise<string> {
  const { terminal } = invocation
  const stop = new AbortController()
  const screen = turnScreen(terminal)
  let typedAhead = ''
  const stopListening = keys.listen((key) => {
    if (key.name === 'escape' || (key.ctrl && key.name === 'c')) stop.abort()
    else if (key.name === 'backtab') cycleLevel(session)
    else if (key.name === 'backspace') typedAhead = typedAhead.slice(0, -1)
    else typedAhead += key.text
  })
  asker.begin(screen, () => stop.abort())
  try {
    terminal.say('')
    const report = await takeTurn(session, text, screen, AbortSignal.any([stop.signal, invocation.signal]))
    const { reason, failure } = report.end()
    for (const { title } of report.changes()) sayChange(title, terminal)
    if (reason === 'stopped') terminal.say(terminal.messageStyle.faint('Stopped.'))
    if (failure) reportFailure(await session.explain(failure, invocation.signal), terminal)
    terminal.say('')
    return typedAhead
  } finally {
    stopListening()
  }
}

function sayChange(title: string, { messageStyle, say }: Terminal): void {
  say(`${messageStyle.good('✓')} ${visibleLine(title)} ${messageStyle.faint('(/undo takes it back)')}`)
}

function statusLine({ mode, guard }: Session, { name }: OpenedModel): string {
  return `${visibleLine(name)} · ${mode} · consent: ${guard.level} (Shift+Tab)`
}

function cycleLevel({ guard }: Session): void {
  guard.level = levels[(levels.indexOf(guard.level) + 1) % levels.length]
}

async function welcome(
  { vault: { notebook }, session }: OpenedSession,
  { terminal, version }: Invocation,
): Promise<string> {
  const { notes } = await notebook.status()
  const style = terminal.messageStyle
  const isOffline = (await session.model()).provider === 'offline'
  const wrapped = (text: string) => wrapToWidth(text, terminal.width - 1)
  return [
    `${style.strong('Notewright')} ${version}  ${visibleText(notebook.root)} (${count(notes, 'note')})`,
    ...(isOffline ? wrapped('No language model is set up, so your notes are quoted. /model sets one.') : []),
    ...wrapped('Ask anything. /help shows commands, @ names a note, Ctrl-C twice leaves.').map(style.faint),
    '',
  ].join('\n')
}

export const describeLevel = (level: ConsentLevel): string => `Consent: ${level}. ${sentence(levelTexts[level])}`

const sentence = (text: string): string => `${text[0].toUpperCase()}${text.slice(1)}.`
