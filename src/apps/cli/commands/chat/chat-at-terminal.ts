import type { AgentEvent } from '../../../../core/agent/index.js'
import { type ConsentLevel, levelTexts } from '../../../../core/approval/index.js'
import type { PromptFile } from '../../../../core/guides/index.js'
import type { OpenedModel } from '../../../../core/providers/index.js'
import { type Session, transcriptOf } from '../../../../core/session/index.js'
import type { NotePath } from '../../../../core/vault/index.js'
import { liveLine, turnScreen } from '../../agent/index.js'
import { type Keyboard, keyboard, typedAhead } from '../../keyboard/index.js'
import type { Invocation } from '../../program/invocation.js'
import { reportFailure } from '../../program/report-failure.js'
import { type OpenedSession, type SessionFlags, withAgent } from '../../session/with-session.js'
import { count } from '../../show/quantities.js'
import { showTurn } from '../../show/show-turn.js'
import { type Terminal, visibleLine } from '../../terminal/index.js'
import { chatAsker } from './chat-asker.js'
import { beginReading, type Reading } from './first-reading.js'
import { promptHistory, readPrompt, suggestNotes } from './input/index.js'
import { type News, news } from './news.js'
import { runSlashCommand, suggestCommands } from './slash-commands.js'
import { takeTurn } from './take-turn.js'
import { watchTimer } from './watch-timer.js'
import { suggestedQuestions, welcome } from './welcome.js'

/** What Shift+Tab goes through. The others are a deliberate step: `/consent auto`. */
const levels: readonly ConsentLevel[] = ['ask', 'edit', 'read-only']
const secondPressMs = 2000
/** So long after a key someone is still taken to be writing. */
const typingMs = 1500

export async function chatAtTerminal(invocation: Invocation, options: SessionFlags): Promise<void> {
  const { terminal } = invocation
  const asker = chatAsker(terminal)
  await withAgent(
    invocation,
    options,
    async (opened) => {
      const { notebook, settings } = opened.vault
      const board = news()
      const questions = suggestedQuestions(opened, terminal).catch(() => '')
      const reading = await beginReading(notebook, settings.index.vectors)
      terminal.say(await welcome(opened, reading, invocation))
      // Those that take longer come when the prompt is already there.
      void questions.then((lines) => lines !== '' && board.tell(lines))
      const stopReading = reading.follow(board.changed)
      const stopTimer = watchTimer((await opened.session.toolSetup()).context, board)
      const stopFollowing = notebook.follow()
      const keys = keyboard(terminal.input, terminal.messages)
      asker.attach(keys)
      try {
        await converse({ ...opened, reading, news: board, keys, asker, invocation, stopped: invocation.signal })
      } finally {
        keys.close()
        stopReading()
        stopTimer()
        stopFollowing()
      }
    },
    // What belongs to a project is told by the index.
    { asker: asker.ask, leavesIndex: options.project === undefined },
  )
}

/** Everything a command of the chat may need. The session may be exchanged for another. */
export interface Chat extends OpenedSession {
  reading: Reading
  news: News
  keys: Keyboard
  asker: ReturnType<typeof chatAsker>
  invocation: Invocation
  /** Aborts when the person stops the command that runs. */
  stopped: AbortSignal
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
  const { folders, keys, reading, invocation } = chat
  const { terminal, signal } = invocation
  const history = await promptHistory(folders.state)
  await takeUp(chat)
  let interruptedAt = Number.NEGATIVE_INFINITY
  let initial = ''
  while (!signal.aborted) {
    const { session } = chat
    const model = await session.model()
    // What can be suggested is found while the prompt is there: keys pressed before it would be lost.
    let files: NotePath[] = []
    let prompts: PromptFile[] = []
    const namesKnown = namesToSuggest(session).then((names) => {
      files = names
    })
    void session.prompts().then(
      (found) => {
        prompts = found
      },
      () => {},
    )
    const stopWaiting = reading.follow(async () => {
      await namesKnown
      if (reading.progress() === undefined) files = await namesToSuggest(session)
    })
    const typed = await readPrompt(keys, terminal.messages, {
      mark: '› ',
      style: terminal.messageStyle,
      status: () => statusLine(session, model, reading),
      initial,
      history: history.entries,
      isMultiline: true,
      rows: 8,
      suggest: (buffer) => suggestCommands(buffer, prompts) ?? suggestNotes(buffer, files),
      onBackTab: () => cycleLevel(session),
      follow: chat.news.follow,
      signal,
    })
    stopWaiting()
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
    const stop = new AbortController()
    chat.stopped = AbortSignal.any([stop.signal, signal])
    const typing = typedAhead(keys, () => stop.abort())
    const outcome = await runSlashCommand(text, chat).finally(() => {
      initial = typing.end()
    })
    if (outcome === 'quit') return
    if (outcome === 'not-a-command') initial = await answer((turn) => chat.session.ask(text, turn), chat)
  }
}

/** Shows where a session was left. A call that waited for an answer is planned anew and asked about again. */
export async function takeUp(chat: Chat): Promise<void> {
  const { session, vault, invocation } = chat
  const { terminal } = invocation
  const kept = await vault.sessions.find(session.id)
  if (kept === undefined) return
  const { messageStyle: style, messageWidth: width } = terminal
  terminal.say(style.faint(`Going on with ${visibleLine(kept.title)} (${count(kept.turns, 'turn')}, ${session.id})`))
  const last = transcriptOf(await vault.sessions.read(session.id)).at(-1)
  if (last !== undefined) terminal.say(`${showTurn(last, { style, width })}\n`)
  const waits = session.waits()
  if (waits === undefined) return
  terminal.say(`${count(waits.calls, 'call')} still waited for your answer.`)
  await answer((signal) => session.goOn(signal), chat)
}

/** One turn. Esc and Ctrl-C stop it; what is typed meanwhile is the beginning of the next input. */
async function answer(
  begin: (signal: AbortSignal) => AsyncGenerator<AgentEvent>,
  { session, keys, asker, reading, invocation }: Chat,
): Promise<string> {
  const { terminal } = invocation
  const stop = new AbortController()
  const screen = turnScreen(terminal)
  let typedAhead = ''
  let typedAt = Number.NEGATIVE_INFINITY
  const stopListening = keys.listen((key) => {
    if (key.text !== '') typedAt = performance.now()
    if (key.name === 'escape' || (key.ctrl && key.name === 'c')) stop.abort()
    else if (key.name === 'backtab') cycleLevel(session)
    else if (key.name === 'backspace') typedAhead = typedAhead.slice(0, -1)
    else typedAhead += key.text
  })
  asker.begin({
    screen,
    stop: () => stop.abort(),
    isTyping: () => performance.now() - typedAt < typingMs,
    onTyped: (typed) => {
      typedAhead += typed
    },
  })
  try {
    terminal.say('')
    const signal = AbortSignal.any([stop.signal, invocation.signal])
    await untilRead(reading, terminal, signal)
    const report = await takeTurn(begin(signal), screen, terminal)
    const { reason, failure } = report.end()
    for (const { title } of report.changes()) sayChange(title, terminal)
    if (reason === 'stopped') terminal.say(terminal.messageStyle.faint('Stopped.'))
    if (failure) reportFailure(await session.explain(failure, invocation.signal), terminal)
    terminal.say('')
    return typedAhead
  } catch (error) {
    invocation.signal.throwIfAborted()
    if (!stop.signal.aborted) reportFailure(error, terminal)
    else terminal.say(`${terminal.messageStyle.faint('Stopped.')}\n`)
    return typedAhead
  } finally {
    stopListening()
  }
}

/** An answer is made of what was read, so the first one waits for the words of the notes; Esc stops that too. */
async function untilRead(reading: Reading, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const text = reading.text()
  if (reading.progress() === undefined) return text
  const live = liveLine(terminal)
  const show = () => {
    const progress = reading.progress()
    if (progress !== undefined) live.show(`Before the first answer: ${progress}`)
  }
  const stopFollowing = reading.follow(show)
  show()
  try {
    await orStopped(text, signal)
  } finally {
    stopFollowing()
    live.clear()
  }
}

function orStopped(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

function sayChange(title: string, { messageStyle, say }: Terminal): void {
  say(`${messageStyle.good('✓')} ${visibleLine(title)} ${messageStyle.faint('(/undo takes it back)')}`)
}

function statusLine({ mode, guard, project }: Session, { name }: OpenedModel, reading: Reading): string {
  const now = reading.progress()
  const place = project === undefined ? '' : `${visibleLine(project)} · `
  return `${place}${visibleLine(name)} · ${mode} · consent: ${guard.level} (Shift+Tab)${now === undefined ? '' : ` · ${now}`}`
}

function cycleLevel({ guard }: Session): void {
  guard.level = levels[(levels.indexOf(guard.level) + 1) % levels.length]
}

export const describeLevel = (level: ConsentLevel): string => `Consent: ${level}. ${sentence(levelTexts[level])}`

const sentence = (text: string): string => `${text[0].toUpperCase()}${text.slice(1)}.`
