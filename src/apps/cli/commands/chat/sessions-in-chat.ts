import { Failure, failureFromData } from '../../../../core/errors.js'
import {
  compactedLine,
  findSession,
  forkSession,
  type SessionSummary,
  sessionAsMarkdown,
  titleFrom,
  transcriptOf,
} from '../../../../core/session/index.js'
import { count } from '../../show/quantities.js'
import { money, sessionLines } from '../../show/session-rows.js'
import { visibleLine, visibleText } from '../../terminal/index.js'
import { type Chat, takeUp } from './chat-at-terminal.js'
import { choose } from './input/index.js'

const mostListed = 15

export async function listSessions(
  words: string,
  { vault, session, invocation: { terminal } }: Chat,
): Promise<undefined> {
  const all = await vault.sessions.list()
  const found = words === '' ? undefined : new Set((await vault.sessions.search(words)).map(({ id }) => id))
  const some = found === undefined ? all : all.filter(({ id }) => found.has(id))
  if (some.length === 0) return void terminal.say('There is none.')
  const { messageStyle: style, messageWidth: width } = terminal
  for (const one of some.slice(0, mostListed)) {
    for (const line of sessionLines(one, { style, width })) terminal.say(line)
    if (one.id === session.id) terminal.say(`                  ${style.faint('this one')}`)
  }
  if (some.length > mostListed)
    terminal.say(style.faint(`and ${some.length - mostListed} more: notewright sessions list`))
}

export async function resumeInChat(name: string, chat: Chat): Promise<undefined> {
  const { sessions } = chat.vault
  const wanted = name === '' ? await chooseSession(chat) : (await findSession(sessions, name)).id
  if (wanted === undefined || wanted === chat.session.id) return
  await switchSession(chat, wanted)
  await takeUp(chat)
}

async function chooseSession(chat: Chat): Promise<string | undefined> {
  const { vault, session, keys, invocation } = chat
  const others = (await vault.sessions.list()).filter(({ id }) => id !== session.id).slice(0, mostListed)
  if (others.length === 0) {
    invocation.terminal.say('There is no earlier conversation.')
    return undefined
  }
  const choices = others.map((one: SessionSummary) => ({
    word: one.id,
    about: `${visibleLine(one.title)} (${count(one.turns, 'turn')})`,
  }))
  const { terminal, signal } = invocation
  const title = 'Which conversation? Type to narrow them down; Esc stays here.'
  return choose(keys, terminal.messages, { title, choices, style: terminal.messageStyle, signal })
}

/** The other one is opened first: where that fails, the person stays where they are. */
export async function switchSession(chat: Chat, id?: string): Promise<void> {
  const next = await chat.openAnother(id)
  const { level } = chat.session.guard
  if (id === undefined) next.guard.level = level
  await chat.session.close()
  chat.session = next
}

export async function forkInChat(turn: string, chat: Chat): Promise<undefined> {
  if (turn !== '' && !/^\d{1,6}$/.test(turn)) {
    throw new Failure('invalid-input', 'A fork begins at the number of a turn.', { hint: 'For example: /fork 3' })
  }
  await requireKept(chat)
  const at = turn === '' ? undefined : Number(turn)
  const fork = await forkSession(chat.vault.sessions, chat.session.id, { at, now: new Date() })
  await switchSession(chat, fork.id)
  chat.invocation.terminal.say(`This is a copy now, ${fork.id}; the other one stays as it was.`)
}

export async function renameInChat(title: string, chat: Chat): Promise<undefined> {
  if (title === '')
    throw new Failure('invalid-input', 'A title cannot be empty.', { hint: 'For example: /rename Soil' })
  await requireKept(chat)
  await chat.vault.sessions.rename(chat.session.id, titleFrom(title), 'person')
  chat.invocation.terminal.say(`This conversation is called ${titleFrom(title)} now.`)
}

export async function exportInChat(to: string, chat: Chat): Promise<undefined> {
  const kept = await requireKept(chat)
  const { vault, session, invocation } = chat
  const content = sessionAsMarkdown(kept, transcriptOf(await vault.sessions.read(session.id)))
  const path = to === '' ? `${kept.title}.md` : /\.md$/i.test(to) ? to : `${to}.md`
  const result = await session.call({ name: 'write_note', input: { path, content } }, invocation.signal)
  if (!result.ok) throw failureFromData(result)
  invocation.terminal.say(visibleText(result.text))
}

export async function compactInChat({ session, stopped, invocation: { terminal, signal } }: Chat): Promise<undefined> {
  let hasRoom = false
  try {
    for await (const event of session.compact(stopped)) {
      if (event.type !== 'compacted') continue
      hasRoom = true
      terminal.say(compactedLine(event))
    }
  } catch (error) {
    if (!stopped.aborted) throw error
  }
  signal.throwIfAborted()
  if (stopped.aborted && !hasRoom) terminal.say(terminal.messageStyle.faint('Stopped.'))
  else if (!hasRoom) terminal.say('There is nothing to sum up yet.')
}

export async function showCost(chat: Chat): Promise<undefined> {
  const { vault, session, invocation } = chat
  const rows = (await vault.sessions.usage()).filter((row) => row.session === session.id)
  const sum = (key: 'input' | 'output' | 'cached') => rows.reduce((total, row) => total + row[key], 0)
  const kept = await vault.sessions.find(session.id)
  const number = (value: number) => value.toLocaleString('en')
  const cached = sum('cached') === 0 ? '' : ` (${number(sum('cached'))} cached)`
  const price = kept?.cost == null ? 'what it costs is not known' : money(kept.cost)
  invocation.terminal.say(
    `${count(kept?.turns ?? 0, 'turn')}, ${number(sum('input'))} tokens in${cached}, ${number(sum('output'))} out; ${price}.`,
  )
}

async function requireKept({ vault, session }: Chat): Promise<SessionSummary> {
  const kept = await vault.sessions.find(session.id)
  if (kept === undefined) throw new Failure('not-found', 'Nothing of this conversation is kept yet.')
  return kept
}
