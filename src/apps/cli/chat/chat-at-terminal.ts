import type { AgentEvent } from '../../../core/agent/index.js'
import type { AskUser, ConsentLevel } from '../../../core/approval/index.js'
import { levelTexts } from '../../../core/approval/index.js'
import type { OpenedModel } from '../../../core/providers/index.js'
import type { Session } from '../../../core/session/index.js'
import { transcriptOf } from '../../../core/session/index.js'
import type { PromptFile } from '../../../core/skills.js'
import { count } from '../../../core/text/index.js'
import type { NotePath } from '../../../core/vault/index.js'
import type { TurnScreen } from '../agent/turn-screen.js'
import { noteAddresses, statusLine, takeTurn, turnScreen } from '../agent/turn-screen.js'
import type { TerminalQuestions } from '../approval/questions.js'
import { reportFailure } from '../program/failures.js'
import type { Invocation } from '../program/invocation.js'
import type { OpenedSession, SessionFlags } from '../session/open-session.js'
import { withAgent } from '../session/open-session.js'
import { showTurn } from '../show/sessions.js'
import type { Keyboard } from '../terminal/keyboard.js'
import { collectTypedAhead, keyboard, keyReader } from '../terminal/keyboard.js'
import type { Terminal } from '../terminal/terminal.js'
import { visibleLine } from '../terminal/terminal.js'
import { type ContextUse, contextUse } from './context-use.js'
import type { Notices } from './notices.js'
import { notices, watchTimer } from './notices.js'
import { promptHistory, promptUser, suggestNotes } from './prompt.js'
import { runSlashCommand, suggestCommands } from './slash-commands.js'
import type { FirstIndex } from './welcome.js'
import { startFirstIndex, suggestedQuestions, welcome } from './welcome.js'

/** The levels that Shift+Tab cycles through. Others must be typed: `/approvals auto`. */
const levels: readonly ConsentLevel[] = ['ask', 'edit', 'read-only']
const secondPressMs = 2000
/** The user counts as typing for this long after a key. */
const typingMs = 1500

export async function chatAtTerminal(invocation: Invocation, options: SessionFlags): Promise<void> {
  const { terminal } = invocation
  const asker = chatApprovals(terminal)
  await withAgent(
    invocation,
    options,
    async (opened) => {
      const { notebook, settings } = opened.vault
      const board = notices()
      const questions = suggestedQuestions(opened, terminal).catch(() => '')
      const reading = await startFirstIndex(notebook, settings.index.vectors)
      terminal.say(await welcome(opened, reading, invocation))
      // Slower servers connect after the prompt is shown.
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
    // Project scopes are resolved with the index.
    { asker: asker.ask, leavesIndex: options.project === undefined },
  )
}

/** Everything a command of the chat may need. The session may be exchanged for another. */
export interface Chat extends OpenedSession {
  reading: FirstIndex
  news: Notices
  keys: Keyboard
  asker: ReturnType<typeof chatApprovals>
  invocation: Invocation
  /** Aborts when the user stops the command that runs. */
  stopped: AbortSignal
  /** The last turn of this run. */
  last?: { session: string; question: string; answer: string }
  use?: ContextUse
}

/** Names as the model may see them: hidden ones are not suggested. */
async function namesToSuggest(session: Session): Promise<NotePath[]> {
  try {
    const { guard, context } = await session.toolSetup()
    return await guard.filterVisible(context).index.files()
  } catch {
    return []
  }
}

async function converse(chat: Chat): Promise<void> {
  const { folders, keys, reading, invocation } = chat
  const { terminal, signal } = invocation
  const history = await promptHistory(folders.state)
  await showResumedSession(chat)
  let interruptedAt = Number.NEGATIVE_INFINITY
  let initial = ''
  while (!signal.aborted) {
    const { session } = chat
    const model = await session.model()
    // Suggestions are computed after the prompt is shown; keys pressed earlier would be lost.
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
    const typed = await promptUser(keys, terminal.messages, {
      mark: '› ',
      style: terminal.messageStyle,
      status: () => promptStatus(session, model, reading, chat.use),
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
    const typing = collectTypedAhead(keys, () => stop.abort())
    // With a space before it, a slash is text.
    const outcome = await runSlashCommand(typed.text.trimEnd(), chat).finally(() => {
      initial = typing.end()
    })
    if (outcome.kind === 'quit') return
    if (outcome.kind === 'edit') initial = outcome.text
    if (outcome.kind === 'ask' || outcome.kind === 'not-a-command') {
      const question = outcome.kind === 'ask' ? outcome.text : text
      initial = await answer((turn) => chat.session.ask(question, turn), chat, question)
    }
  }
}

/** Shows where a session was left. A call that waited for an answer is planned again and asked about again. */
export async function showResumedSession(chat: Chat): Promise<void> {
  const { session, vault, invocation } = chat
  const { terminal } = invocation
  const kept = await vault.sessions.find(session.id)
  if (kept === undefined) return
  const { messageStyle: style, messageWidth: width } = terminal
  terminal.say(style.faint(`Continuing ${visibleLine(kept.title)} (${count(kept.turns, 'turn')}, ${session.id})`))
  const last = transcriptOf(await vault.sessions.read(session.id)).at(-1)
  if (last !== undefined) terminal.say(`${showTurn(last, { style, width })}\n`)
  const pending = session.pendingApproval()
  if (pending === undefined) return
  terminal.say(`${count(pending.calls, 'request needs', 'requests need')} your approval.`)
  await answer((signal) => session.resumeTurn(signal), chat)
}

/** Runs one turn. Esc and Ctrl-C stop it; keys typed meanwhile start the next input. */
async function answer(
  begin: (signal: AbortSignal) => AsyncGenerator<AgentEvent>,
  chat: Chat,
  question?: string,
): Promise<string> {
  const { session, vault, keys, asker, reading, invocation } = chat
  const { terminal } = invocation
  const stop = new AbortController()
  const screen = turnScreen(terminal, noteAddresses(vault.notebook.root))
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
    chat.use = chat.use?.session === session.id ? chat.use : contextUse(session.id)
    const { use } = chat
    if (question !== undefined) chat.last = { session: session.id, question, answer: '' }
    const show = (event: AgentEvent) => {
      use.see(event)
      screen.show(event)
    }
    const report = await takeTurn(begin(signal), { show }, terminal)
    const { reason, failure, text } = report.end()
    if (chat.last?.session === session.id) chat.last.answer = text
    await use.update(session, vault.sessions)
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

/** Answers need indexed notes, so the first question waits until text is searchable; Esc stops that too. */
async function untilRead(reading: FirstIndex, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const text = reading.text()
  if (reading.progress() === undefined) return text
  const live = statusLine(terminal)
  const show = () => {
    const progress = reading.progress()
    if (progress !== undefined) live.show(`Preparing the first answer: ${progress}`)
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
  say(`${messageStyle.good('✓')} ${visibleLine(title)} ${messageStyle.faint('(/undo to undo)')}`)
}

function promptStatus(
  { id, mode, guard, project }: Session,
  { name }: OpenedModel,
  reading: FirstIndex,
  use: ContextUse | undefined,
): string {
  const now = reading.progress()
  const words = use?.session === id ? use.words() : ''
  const used = words === '' ? '' : ` · ${words}`
  const place = project === undefined ? '' : `${visibleLine(project)} · `
  return `${place}${visibleLine(name)} · ${mode} · approvals: ${guard.level} (Shift+Tab)${used}${now === undefined ? '' : ` · ${now}`}`
}

function cycleLevel({ guard }: Session): void {
  guard.level = levels[(levels.indexOf(guard.level) + 1) % levels.length] ?? 'ask'
}

export const describeLevel = (level: ConsentLevel): string => `Approvals: ${level}. ${sentence(levelTexts[level])}`

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Asks for approval inside the chat, with the keyboard the chat already holds. */
export interface ChatApprovals {
  ask: AskUser
  conversation(): TerminalQuestions
  attach(keys: Keyboard): void
  /** From now on questions belong to this turn; Ctrl-C at one of them stops it. */
  begin(turn: AskingTurn): void
}

interface AskingTurn {
  screen: Pick<TurnScreen, 'pause'>
  stop(): void
  /** True if the user was writing a moment ago. */
  isTyping(): boolean
  /** Receives text the user typed that is not an answer. */
  onTyped(text: string): void
}

export function chatApprovals(terminal: Terminal): ChatApprovals {
  let keys: Keyboard | undefined
  const press = keyReader()
  let turn: AskingTurn | undefined

  const conversation = (): TerminalQuestions => ({
    style: terminal.messageStyle,
    width: terminal.messageWidth,
    say: (text) => terminal.say(text),
    async ask(question, signal) {
      if (keys === undefined) return undefined
      // A question can be longer than a line, so the answer is written below it.
      terminal.say(question.trim())
      const typed = await promptUser(keys, terminal.messages, { mark: '› ', style: terminal.messageStyle, signal })
      if (typed.kind === 'interrupt') turn?.stop()
      return typed.kind === 'text' ? typed.text : undefined
    },
    async askKey(question, letters, signal) {
      if (keys === undefined) return undefined
      terminal.say(question.trim())
      terminal.messages.write('› ')
      const isTyping = turn?.isTyping()
      const answer = await press(keys, { letters, signal, isTyping, onStray: turn?.onTyped })
      terminal.say(answer.kind === 'key' ? answer.key : '')
      if (answer.kind === 'interrupt') turn?.stop()
      return answer.kind === 'key' ? answer.key : undefined
    },
    aside: (work) => (keys === undefined ? work() : keys.aside(work)),
  })

  return {
    ask: (async (panel, signal) => {
      turn?.screen.pause()
      const { terminalAsker } = await import('../approval/terminal-asker.js')
      return terminalAsker(conversation())(panel as never, signal)
    }) as AskUser,
    conversation,
    attach(given) {
      keys = given
    },
    begin(given) {
      turn = given
    },
  }
}
