import { type Mode, modes } from '../../../../core/agent/index.js'
import { consentLevels, levelTexts } from '../../../../core/approval/index.js'
import { Failure } from '../../../../core/errors.js'
import type { PromptFile } from '../../../../core/guides/index.js'
import { nearestName } from '../../../../core/names/index.js'
import { listProjects } from '../../../../core/projects/index.js'
import { projectLine, projectPlaces } from '../../../../core/session/index.js'
import { reportFailure } from '../../program/report-failure.js'
import { readLevel } from '../../session/with-session.js'
import { padToWidth, visibleLine, wrapToWidth } from '../../terminal/index.js'
import { type Chat, describeLevel } from './chat-at-terminal.js'
import { chooseModel } from './choose-model.js'
import { type Buffer, type Choice, type Suggestions, suggestWords } from './input/index.js'
import {
  compactInChat,
  exportInChat,
  forkInChat,
  listSessions,
  renameInChat,
  resumeInChat,
  showCost,
  switchSession,
} from './sessions-in-chat.js'
import { undoInChat } from './undo-in-chat.js'

interface SlashCommand {
  usage: string
  about: string
  /** 'quit' ends the chat. */
  run(rest: string, chat: Chat): Promise<'quit' | undefined> | 'quit' | undefined
}

const commands: Record<string, SlashCommand> = {
  help: { usage: '/help', about: 'this list', run: (_rest, chat) => help(chat) },
  model: { usage: '/model [name]', about: 'choose who answers, or name it: /model ollama/qwen3:8b', run: changeModel },
  mode: { usage: '/mode [name]', about: `how turns are run: ${modes.join(', ')}`, run: changeMode },
  consent: { usage: '/consent [level]', about: 'how much you are asked; Shift+Tab changes it too', run: changeLevel },
  project: {
    usage: '/project [name]',
    about: 'a new conversation in a project, or with - in the whole vault; alone: which there are',
    run: changeProject,
  },
  tools: { usage: '/tools', about: 'what the model can use', run: (_rest, chat) => listTools(chat) },
  undo: {
    usage: '/undo',
    about: 'take the last change back, after a look at it',
    run: (_rest, chat) => undoInChat(chat),
  },
  clear: { usage: '/clear', about: 'begin another conversation; this one is kept', run: (_rest, chat) => clear(chat) },
  quit: { usage: '/quit', about: 'leave (also Ctrl-D)', run: () => 'quit' },
  sessions: {
    usage: '/sessions [words]',
    about: 'earlier conversations, or those with these words',
    run: listSessions,
  },
  resume: { usage: '/resume [id]', about: 'go on with an earlier one; without an id, choose', run: resumeInChat },
  fork: { usage: '/fork [turn]', about: 'go on in a copy, from that turn of this conversation', run: forkInChat },
  rename: { usage: '/rename title', about: 'give this conversation a title', run: renameInChat },
  export: { usage: '/export [note]', about: 'write this conversation to a note', run: exportInChat },
  compact: {
    usage: '/compact',
    about: 'sum up the older turns, to make room',
    run: (_rest, chat) => compactInChat(chat),
  },
  cost: { usage: '/cost', about: 'what this conversation has used', run: (_rest, chat) => showCost(chat) },
}

const modeTexts: Record<Mode, string> = {
  agent: 'The model uses tools until it has the answer.',
  chat: 'The model answers without tools.',
  'vault-qa': 'The notes are searched first, and the answer is written from what was found.',
  plan: 'The model names all the tools it needs at once, then answers.',
}

const argumentsOf: Record<string, Choice[] | undefined> = {
  mode: modes.map((word) => ({ word, about: modeTexts[word] })),
  consent: consentLevels.map((word) => ({ word, about: levelTexts[word] })),
}

const otherNames: Record<string, string> = { exit: 'quit', q: 'quit', new: 'clear', '?': 'help', models: 'model' }

/** What a slash, and the words behind it, could go on with. */
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

/** Runs what begins with a slash and names a command. What is merely like one is asked about; all else is for the model. */
export async function runSlashCommand(text: string, chat: Chat): Promise<'done' | 'quit' | 'not-a-command'> {
  const { terminal, signal } = chat.invocation
  const [, typed, rest] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? []
  if (typed === undefined) return 'not-a-command'
  const name = Object.hasOwn(otherNames, typed) ? otherNames[typed] : typed.toLowerCase()
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    if ((await chat.session.prompts()).some((prompt) => prompt.name === name)) return 'not-a-command'
    const near = nearestName(typed, Object.keys(commands))
    if (near === undefined) return 'not-a-command'
    terminal.say(`There is no /${visibleLine(typed)}. Did you mean /${near}?`)
    return 'done'
  }
  try {
    return (await command.run(rest.trim(), chat)) ?? 'done'
  } catch (error) {
    signal.throwIfAborted()
    reportFailure(error, terminal)
    return 'done'
  }
}

function help({ invocation: { terminal } }: Chat): undefined {
  const rows = [...Object.values(commands).map(({ usage, about }) => [usage, about]), ...keysHelp]
  const width = Math.max(...rows.map(([what]) => what.length)) + 2
  for (const [what, about] of rows) {
    const lines = wrapToWidth(about, Math.max(20, terminal.messageWidth - width - 3))
    for (const [at, line] of lines.entries()) {
      terminal.say(`  ${padToWidth(at === 0 ? what : '', width)}${terminal.messageStyle.faint(line)}`)
    }
  }
}

const keysHelp = [
  ['@', 'name a note; Tab takes the one that is marked'],
  ['Alt+Enter', 'another line (also Shift+Enter, or \\ at the end)'],
  ['Esc', 'stop the answer'],
  ['Ctrl-C twice', 'leave'],
]

async function changeModel(name: string, chat: Chat): Promise<undefined> {
  const { session, invocation } = chat
  const { terminal } = invocation
  const current = (await session.model()).name
  const wanted = name === '' ? await chooseModel(current, chat) : name
  if (wanted === undefined) return void terminal.say(`Model: ${visibleLine(current)}`)
  const model = await session.changeModel(wanted)
  terminal.say(`Model: ${visibleLine(model.name)}`)
  if (model.name === chat.vault.settings.model) return
  terminal.say(terminal.messageStyle.faint(`To keep it: notewright config set model ${visibleLine(model.name)}`))
}

function changeMode(name: string, { session, invocation: { terminal } }: Chat): undefined {
  const mode = modes.find((known) => known === name)
  if (name !== '' && mode === undefined) {
    throw new Failure('invalid-input', `There is no mode ${name}.`, { hint: `There is ${modes.join(', ')}.` })
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
    return void terminal.say(names.length === 0 ? 'There are no projects.' : `Projects: ${names.join(', ')}`)
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
  if (!vault.settings.tools.calling) terminal.say('None of them is offered: tools.calling is false.')
}

async function clear(chat: Chat): Promise<undefined> {
  await switchSession(chat)
  chat.invocation.terminal.say('This is a new conversation.')
}
