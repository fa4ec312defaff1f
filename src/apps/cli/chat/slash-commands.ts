import { type Mode, modes } from '../../../core/agent/index.js'
import { consentLevels, levelTexts } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import { listProjects } from '../../../core/projects.js'
import { findProvider } from '../../../core/providers/index.js'
import {
  compactedLine,
  findSession,
  forkSession,
  projectLine,
  projectPlaces,
  type SessionSummary,
  sessionAsMarkdown,
  titleFrom,
  transcriptOf,
} from '../../../core/session/index.js'
import type { PromptFile } from '../../../core/skills.js'
import { count, nearestName } from '../../../core/text/index.js'
import { installedModels } from '../../../hosts/node/agent-model.js'
import { type ProviderRow, probeProvider, providerRows } from '../../../hosts/node/settings/providers.js'
import { askKey } from '../approval/questions.js'
import { reportFailure } from '../program/failures.js'
import type { Invocation } from '../program/invocation.js'
import { failureForUser } from '../session/call-tool.js'
import { lastChange } from '../session/last-change.js'
import { readLevel } from '../session/open-session.js'
import { settingsLocation } from '../session/settings.js'
import { conflictQuestion, parseConflictChoice, showConflict } from '../show/changes.js'
import { money, sessionLines } from '../show/sessions.js'
import { undoWords } from '../show/undo.js'
import { cleanText } from '../terminal/keyboard.js'
import { terminalText, visibleLine } from '../terminal/terminal.js'
import { besideLabel, padToWidth, wrapToWidth } from '../terminal/text-width.js'
import { copyText, editorOf, editText } from '../terminal/user-programs.js'
import { type Chat, describeLevel, showResumedSession } from './chat-at-terminal.js'
import type { Buffer } from './edit-buffer.js'
import { type Choice, choose, type Suggestions, suggestWords } from './prompt.js'

interface SlashCommand {
  usage: string
  about: string
  /** Nothing: the command is done. */
  run(rest: string, chat: Chat): Promise<SlashOutcome | undefined> | SlashOutcome | undefined
}

/** `quit` ends the chat, `ask` puts a question to the model, `edit` leaves a text in the prompt. */
type SlashOutcome = { kind: 'done' | 'quit' | 'not-a-command' } | { kind: 'ask' | 'edit'; text: string }

const commands: Record<string, SlashCommand> = {
  help: { usage: '/help', about: 'show this list', run: (_rest, chat) => help(chat) },
  model: { usage: '/model [name]', about: 'choose the model, or name it: /model ollama/qwen3:8b', run: changeModel },
  mode: { usage: '/mode [name]', about: `change the mode: ${modes.join(', ')}`, run: changeMode },
  approvals: { usage: '/approvals [level]', about: 'change what needs approval (also Shift+Tab)', run: changeLevel },
  project: {
    usage: '/project [name]',
    about: 'list projects, or start a chat in one; - for the whole vault',
    run: changeProject,
  },
  tools: { usage: '/tools', about: 'list the tools of the model', run: (_rest, chat) => listTools(chat) },
  undo: {
    usage: '/undo',
    about: 'show the last change and undo it',
    run: (_rest, chat) => undoInChat(chat),
  },
  clear: { usage: '/clear', about: 'start a new chat; this one is saved', run: (_rest, chat) => clear(chat) },
  copy: { usage: '/copy', about: 'copy the last answer', run: (_rest, chat) => copyAnswer(chat) },
  retry: { usage: '/retry', about: 'ask the last question again', run: (_rest, chat) => retry(chat) },
  edit: { usage: '/edit [text]', about: 'write the question in your editor', run: editPrompt },
  quit: { usage: '/quit', about: 'quit (also Ctrl-D)', run: () => ({ kind: 'quit' }) },
  sessions: {
    usage: '/sessions [words]',
    about: 'list earlier chats, or search them',
    run: listSessions,
  },
  resume: { usage: '/resume [id]', about: 'continue an earlier chat', run: resumeInChat },
  fork: { usage: '/fork [turn]', about: 'continue in a copy, from that turn of this chat', run: forkInChat },
  rename: { usage: '/rename title', about: 'rename this chat', run: renameInChat },
  export: { usage: '/export [note]', about: 'export this chat to a note', run: exportInChat },
  compact: {
    usage: '/compact',
    about: 'summarize older turns to free context',
    run: (_rest, chat) => compactInChat(chat),
  },
  cost: { usage: '/cost', about: 'show tokens and cost of this chat', run: (_rest, chat) => showCost(chat) },
}

const modeTexts: Record<Mode, string> = {
  agent: 'The model uses tools until it has the answer.',
  chat: 'The model answers without tools.',
  'vault-qa': 'Notewright searches your notes first, then the model answers from the results.',
  plan: 'The model plans all tool calls at once, then answers.',
}

const argumentsOf: Record<string, Choice[] | undefined> = {
  mode: modes.map((word) => ({ word, about: modeTexts[word] })),
  approvals: consentLevels.map((word) => ({ word, about: levelTexts[word] })),
}

const otherNames: Record<string, string> = {
  exit: 'quit',
  q: 'quit',
  new: 'clear',
  consent: 'approvals',
  '?': 'help',
  models: 'model',
}

/** Completions for a slash command and its arguments. */
export function suggestCommands(buffer: Buffer, prompts: readonly PromptFile[] = []): Suggestions | undefined {
  const [, name, space] = /^\/(\S*)(\s+)?/.exec(buffer.text) ?? []
  if (name === undefined || buffer.cursor < buffer.text.length || buffer.text.includes('\n')) return undefined
  if (space === undefined) {
    const choices = [
      ...Object.entries(commands).map(([word, { about }]) => ({ word: `/${word}`, about })),
      ...prompts.map((prompt) => ({ word: `/${prompt.name}`, about: visibleLine(prompt.description) })),
    ]
    return suggestWords(buffer, 0, choices)
  }
  const words = argumentsOf[name]
  return words && suggestWords(buffer, 1 + name.length + space.length, words)
}

/**
 * Runs a slash command. An unknown one is reported with the nearest name. Text that begins with a space, a path or a
 * prompt file goes to the model.
 */
export async function runSlashCommand(text: string, chat: Chat): Promise<SlashOutcome> {
  const { terminal, signal } = chat.invocation
  const [, typed, rest = ''] = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/.exec(text) ?? []
  if (typed === undefined) return { kind: 'not-a-command' }
  const name = (Object.hasOwn(otherNames, typed) ? otherNames[typed] : undefined) ?? typed.toLowerCase()
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const prompts = (await chat.session.prompts()).map((prompt) => prompt.name)
    if (prompts.includes(name)) return { kind: 'not-a-command' }
    const near = nearestName(typed, [...Object.keys(commands), ...prompts])
    const hint = near === undefined ? '/help lists all commands.' : `Did you mean /${visibleLine(near)}?`
    terminal.say(`Unknown command /${visibleLine(typed)}. ${hint}`)
    terminal.say(terminal.messageStyle.faint('To send it as a question, start it with a space.'))
    return { kind: 'done' }
  }
  try {
    return (await command.run(rest.trim(), chat)) ?? { kind: 'done' }
  } catch (error) {
    signal.throwIfAborted()
    reportFailure(error, terminal)
    return { kind: 'done' }
  }
}

async function help({ session, invocation: { terminal } }: Chat): Promise<undefined> {
  const { messageStyle: style, messageWidth: width } = terminal
  const prompts = await session.prompts().catch(() => [])
  const rows = [
    ...Object.values(commands).map(({ usage, about }) => [usage, about] as const),
    ...prompts.map(({ name, description }) => [`/${visibleLine(name)}`, visibleLine(description)] as const),
    ...keysHelp,
  ]
  const labelWidth = Math.max(...rows.map(([what]) => what.length)) + 4
  for (const [what, about] of rows) {
    const lines = besideLabel(`  ${what}`, { labelWidth, width }, (room) =>
      wrapToWidth(about, room - 1).map(style.faint),
    )
    for (const line of lines) terminal.say(line)
  }
}

const keysHelp: readonly (readonly [keys: string, about: string])[] = [
  ['@', 'name a note; Tab completes it'],
  ['Alt+Enter', 'new line (also Shift+Enter, or \\ at the end)'],
  ['Esc', 'stop the answer'],
  ['Ctrl-C twice', 'quit'],
]

async function copyAnswer(chat: Chat): Promise<undefined> {
  const { answer = '' } = await lastTurn(chat)
  // A pasted control character could run a command.
  const text = cleanText(answer).trim()
  if (text === '') throw new Failure('not-found', 'There is no answer to copy yet.')
  const { terminal, surroundings } = chat.invocation
  const write = (sequence: string) => void terminal.messages.write(sequence)
  const copied = await copyText(text, { environment: surroundings.environment, platform: process.platform, write })
  if (copied.by === 'none') {
    throw new Failure('too-large', 'The answer is too long for the clipboard of the terminal.', {
      hint: 'Write it to a note with /export.',
    })
  }
  const size = count(text.length, 'character')
  if (copied.by === 'program') return void terminal.say(`Copied ${size} with ${copied.program}.`)
  terminal.say(`Sent ${size} to the clipboard of your terminal (OSC 52).`)
  terminal.say(terminal.messageStyle.faint('Some terminals ignore this, or ask you to allow it in their settings.'))
}

async function retry(chat: Chat): Promise<SlashOutcome> {
  const { question = '' } = await lastTurn(chat)
  if (question === '') throw new Failure('not-found', 'You have not asked anything in this chat yet.')
  chat.invocation.terminal.say(chat.invocation.terminal.messageStyle.faint(`› ${terminalText(question)}`))
  return { kind: 'ask', text: question }
}

/** The last question and answer: of this run, or of the chat that was resumed. */
async function lastTurn({ last, vault, session }: Chat): Promise<{ question?: string; answer?: string }> {
  if (last?.session === session.id) return last
  if ((await vault.sessions.find(session.id)) === undefined) return {}
  const turn = transcriptOf(await vault.sessions.read(session.id)).at(-1)
  return turn === undefined ? {} : { question: turn.asked, answer: turn.answer }
}

async function editPrompt(text: string, { keys, invocation, stopped }: Chat): Promise<SlashOutcome> {
  const editor = editorOf(invocation.surroundings.environment)
  if (editor === undefined) {
    throw new Failure('invalid-input', 'No editor is set.', {
      hint: 'Set the environment variable VISUAL or EDITOR, for example: export EDITOR=nano',
    })
  }
  const edited = await keys.aside(() => editText(editor, { name: 'question.md', text: `${text}\n` }, stopped))
  if (edited === undefined) {
    throw new Failure('internal', `The editor (${editor}) could not be started or ended with an error.`, {
      hint: 'The text was not taken over. Check VISUAL and EDITOR.',
    })
  }
  return { kind: 'edit', text: cleanText(edited).trim() }
}

async function changeModel(name: string, chat: Chat): Promise<undefined> {
  const { session, invocation } = chat
  const { terminal } = invocation
  const current = (await session.model()).name
  const wanted = name === '' ? await chooseModel(current, chat) : name
  if (wanted === undefined) return void terminal.say(`Model: ${visibleLine(current)}`)
  const model = await session.changeModel(wanted)
  terminal.say(`Model: ${visibleLine(model.name)}`)
  if (model.name === chat.vault.settings.model) return
  terminal.say(
    terminal.messageStyle.faint(`To make it the default: notewright config set model ${visibleLine(model.name)}`),
  )
}

function changeMode(name: string, { session, invocation: { terminal } }: Chat): undefined {
  const mode = modes.find((known) => known === name)
  if (name !== '' && mode === undefined) {
    throw new Failure('invalid-input', `Unknown mode: ${name}`, { hint: `Use one of: ${modes.join(', ')}.` })
  }
  session.mode = mode ?? session.mode
  terminal.say(`Mode: ${session.mode}. ${modeTexts[session.mode]}`)
}

function changeLevel(name: string, { session: { guard }, invocation: { terminal } }: Chat): undefined {
  if (name !== '') guard.level = readLevel(name)
  terminal.say(describeLevel(guard.level))
}

async function changeProject(name: string, { vault, session, invocation: { terminal } }: Chat): Promise<undefined> {
  if (name === '') {
    await session.toolSetup()
    const projects = await listProjects(projectPlaces(vault, session))
    const names = projects.map((each) => `${visibleLine(each.name)}${each.name === session.project ? ' (here)' : ''}`)
    return void terminal.say(names.length === 0 ? 'No projects yet.' : `Projects: ${names.join(', ')}`)
  }
  await session.changeProject(name === '-' ? undefined : name)
  terminal.say(visibleLine(projectLine({ type: 'project-changed', project: session.project })))
}

async function listTools({ vault, session, invocation: { terminal } }: Chat): Promise<undefined> {
  const { offered } = await session.toolSetup()
  const tools = vault.registry.all().flatMap(({ tool }) => (offered?.has(tool.name) ? [tool] : []))
  const width = Math.max(...tools.map(({ name }) => name.length)) + 2
  for (const { name, title } of tools) {
    terminal.say(`  ${padToWidth(visibleLine(name), width)}${terminal.messageStyle.faint(visibleLine(title))}`)
  }
  if (!vault.settings.tools.calling) terminal.say('Models get no tools, because tools.calling is false.')
}

async function clear(chat: Chat): Promise<undefined> {
  await switchSession(chat)
  chat.invocation.terminal.say('New chat.')
}

/** A provider elsewhere is asked for its models only when the user chooses it. */
const asksFor = '/…'

/** Lists the models that are there, and lets the user choose one. undefined: they left it as it is. */
async function chooseModel(current: string, { keys, invocation }: Chat): Promise<string | undefined> {
  const choices = await modelsHere(current, invocation)
  const chosen = await pick(`Choose a model. Current: ${visibleLine(current)}. Press Esc to keep it.`, choices)
  if (chosen === undefined || !chosen.endsWith(asksFor)) return chosen
  const provider = findProvider(chosen.slice(0, -asksFor.length))
  const row = await probeProvider(settingsLocation(invocation), provider)
  if (row.problem !== undefined || row.models === undefined) {
    const why = row.problem?.text ?? `Can't connect to ${row.name}.`
    invocation.terminal.say(visibleLine([why, row.problem?.hint].filter(Boolean).join(' ')))
    return undefined
  }
  return pick(
    `${count(row.models.length, 'model')} of ${row.name}. Type to filter, press Esc to cancel.`,
    row.models.map((word) => ({ word: visibleLine(word) })),
  )

  function pick(title: string, from: readonly Choice[]) {
    const { terminal, signal } = invocation
    return choose(keys, terminal.messages, { title, choices: from, style: terminal.messageStyle, signal })
  }
}

/** Models to choose from: local servers, files on this disk, remote providers, and offline. */
async function modelsHere(current: string, invocation: Invocation): Promise<Choice[]> {
  const { environment, home } = invocation.surroundings
  const [rows, installed] = await Promise.all([
    providerRows(settingsLocation(invocation)),
    installedModels({ environment, home }).catch(() => []),
  ])
  const found = new Map<string, string>()
  const add = (word: string, about: string) => {
    if (!found.has(word)) found.set(visibleLine(word), word === current ? `${about}, in use` : about)
  }
  for (const { models = [], address } of rows) for (const model of models) add(model, `running at ${address}`)
  for (const model of installed) add(model, `downloaded; ${startHint(model)}`)
  for (const row of rows) if (isElsewhere(row)) add(`${row.provider}${asksFor}`, `list the models of ${row.name}`)
  if (current !== 'offline') add(current, 'set up')
  add('offline', 'searches and quotes your notes, without an AI model')
  return [...found].map(([word, about]) => ({ word, about }))
}

const startHint = (model: string): string => `start ${model.startsWith('ollama/') ? 'Ollama' : 'LM Studio'} first`

const isElsewhere = ({ configured, running, key, provider }: ProviderRow): boolean =>
  configured && running === undefined && (key !== undefined || provider === 'compatible')

/** Shows the effect of undoing the last change, and undoes it after confirmation. */
async function undoInChat({ vault: { notebook }, asker, invocation }: Chat): Promise<undefined> {
  const { terminal, signal } = invocation
  const style = terminal.messageStyle
  const ask = (question: string, letters: string) => askKey(asker.conversation(), question, letters, signal)
  const changeSet = await notebook.planUndo({ id: await lastChange(notebook) }, async (conflict) => {
    terminal.say(showConflict(conflict, { style }))
    return parseConflictChoice(await ask(conflictQuestion, 'ku'))
  })
  const words = await undoWords(changeSet, notebook, { style, width: terminal.messageWidth })
  terminal.say(words.preview)
  const answer = await ask('Undo this? [y/N]', 'yn')
  if (!/^\s*y(es)?\s*$/i.test(answer ?? '')) return void terminal.say('Nothing was changed.')
  await notebook.apply(changeSet)
  terminal.say(words.done)
}

const mostListed = 15

async function listSessions(words: string, { vault, session, invocation: { terminal } }: Chat): Promise<undefined> {
  const all = await vault.sessions.list()
  const found = words === '' ? undefined : new Set((await vault.sessions.search(words)).map(({ id }) => id))
  const some = found === undefined ? all : all.filter(({ id }) => found.has(id))
  if (some.length === 0) return void terminal.say('No earlier chats.')
  const { messageStyle: style, messageWidth: width } = terminal
  for (const one of some.slice(0, mostListed)) {
    for (const line of sessionLines(one, { style, width })) terminal.say(line)
    if (one.id === session.id) terminal.say(`                  ${style.faint('this chat')}`)
  }
  if (some.length > mostListed)
    terminal.say(style.faint(`and ${some.length - mostListed} more: notewright sessions list`))
}

async function resumeInChat(name: string, chat: Chat): Promise<undefined> {
  const { sessions } = chat.vault
  const wanted = name === '' ? await chooseSession(chat) : (await findSession(sessions, name)).id
  if (wanted === undefined || wanted === chat.session.id) return
  await switchSession(chat, wanted)
  await showResumedSession(chat)
}

async function chooseSession(chat: Chat): Promise<string | undefined> {
  const { vault, session, keys, invocation } = chat
  const others = (await vault.sessions.list()).filter(({ id }) => id !== session.id).slice(0, mostListed)
  if (others.length === 0) {
    invocation.terminal.say('No earlier chats.')
    return undefined
  }
  const choices = others.map((one: SessionSummary) => ({
    word: one.id,
    about: `${visibleLine(one.title)} (${count(one.turns, 'turn')})`,
  }))
  const { terminal, signal } = invocation
  const title = 'Choose a chat. Type to filter, press Esc to cancel.'
  return choose(keys, terminal.messages, { title, choices, style: terminal.messageStyle, signal })
}

/** The other one is opened first: where that fails, the user stays where they are. */
async function switchSession(chat: Chat, id?: string): Promise<void> {
  const next = await chat.openAnother(id)
  const { level } = chat.session.guard
  if (id === undefined) next.guard.level = level
  await chat.session.close()
  chat.session = next
}

async function forkInChat(turn: string, chat: Chat): Promise<undefined> {
  if (turn !== '' && !/^\d{1,6}$/.test(turn)) {
    throw new Failure('invalid-input', '/fork takes the number of a turn.', { hint: 'For example: /fork 3' })
  }
  await requireKept(chat)
  const at = turn === '' ? undefined : Number(turn)
  const fork = await forkSession(chat.vault.sessions, chat.session.id, { at, now: new Date() })
  await switchSession(chat, fork.id)
  chat.invocation.terminal.say(`Continuing in a copy, ${fork.id}. The original chat is kept.`)
}

async function renameInChat(title: string, chat: Chat): Promise<undefined> {
  if (title === '')
    throw new Failure('invalid-input', 'A title cannot be empty.', { hint: 'For example: /rename Soil' })
  await requireKept(chat)
  await chat.vault.sessions.rename(chat.session.id, titleFrom(title), 'person')
  chat.invocation.terminal.say(`Renamed this chat to ${titleFrom(title)}.`)
}

async function exportInChat(to: string, chat: Chat): Promise<undefined> {
  const kept = await requireKept(chat)
  const { vault, session, invocation } = chat
  const content = sessionAsMarkdown(kept, transcriptOf(await vault.sessions.read(session.id)))
  const path = to === '' ? `${kept.title}.md` : /\.md$/i.test(to) ? to : `${to}.md`
  const result = await session.call({ name: 'write_note', input: { path, content } }, invocation.signal)
  if (!result.ok) throw failureForUser(result)
  invocation.terminal.say(terminalText(result.text))
}

async function compactInChat({ session, stopped, invocation: { terminal, signal } }: Chat): Promise<undefined> {
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
  else if (!hasRoom) terminal.say('Nothing to summarize yet.')
}

async function showCost(chat: Chat): Promise<undefined> {
  const { vault, session, invocation } = chat
  const rows = (await vault.sessions.usage()).filter((row) => row.session === session.id)
  const sum = (key: 'input' | 'output' | 'cached') => rows.reduce((total, row) => total + row[key], 0)
  const kept = await vault.sessions.find(session.id)
  const number = (value: number) => value.toLocaleString('en')
  const cached = sum('cached') === 0 ? '' : ` (${number(sum('cached'))} cached)`
  const price = kept?.cost == null ? 'cost unknown' : money(kept.cost)
  invocation.terminal.say(
    `${count(kept?.turns ?? 0, 'turn')}, ${number(sum('input'))} tokens in${cached}, ${number(sum('output'))} out; ${price}.`,
  )
}

async function requireKept({ vault, session }: Chat): Promise<SessionSummary> {
  const kept = await vault.sessions.find(session.id)
  if (kept === undefined) throw new Failure('not-found', 'This chat is still empty.')
  return kept
}
