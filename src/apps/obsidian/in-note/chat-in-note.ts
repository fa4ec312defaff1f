import { type Editor, Notice, type TFile } from 'obsidian'
import type { AgentEvent } from '../../../core/agent/index.js'
import { findFrontmatter } from '../../../core/markdown/index.js'
import type { Session } from '../../../core/session/index.js'
import { notePath } from '../../../core/vault/index.js'
import { noticeOf } from '../failure-of.js'
import type { OpenPlugin } from '../open-plugin.js'
import type { NotewrightPlugin } from '../plugin.js'
import { AnswerBlock, answerInFile, saveEditors } from './answer-place.js'
import { AnswerText } from './answer-text.js'
import { hasNoName, inferTitle, openNoteSession } from './infer-title.js'
import { readNoteChat } from './note-chat.js'

/** Notes that are being answered right now. */
const answering = new Set<TFile>()

/** Answers the last question of a conversation that is written in a note, in the note. */
export async function chatInNote(
  plugin: NotewrightPlugin,
  editor: Editor,
  file: TFile,
  signal: AbortSignal,
): Promise<void> {
  if (answering.has(file)) return plugin.tell('An answer is already being written. Run Stop answering to stop it.')
  answering.add(file)
  const notice = new Notice('Answering… Run Stop answering to stop.', 0)
  try {
    await answer(plugin, editor, file, signal)
  } finally {
    notice.hide()
    answering.delete(file)
  }
}

async function answer(plugin: NotewrightPlugin, editor: Editor, file: TFile, signal: AbortSignal): Promise<void> {
  const opened = await plugin.opened()
  const text = editor.getValue()
  const isAtCursor = plugin.settings.generateAtCursor
  const at = isAtCursor ? cursorIn(editor, text) : text.length
  const chat = readNoteChat(text.slice(0, at))
  const question = chat.messages.pop()
  if (question?.role !== 'user') {
    return plugin.tell(`There is no question ${isAtCursor ? 'above the cursor' : 'at the end of this note'}.`)
  }
  const session = await openNoteSession(plugin, file, text, chat)
  if (session === undefined) return plugin.tell('This note is private or excluded, so it is not sent.')
  const place = new AnswerBlock(plugin.app, file)
  const { path } = file
  let isAnswered = false
  plugin.rememberAnswering(path, true)
  try {
    const said = new AnswerText(plugin.settings.headingLevel)
    place.begin({ at, text }, said.growing())
    let end: End | undefined
    try {
      end = await write(session.ask(question.text, signal), said, place, plugin)
    } finally {
      await finish(plugin, opened, { place, said, end, session, signal })
    }
    isAnswered = end?.reason === 'answered'
  } finally {
    plugin.rememberAnswering(path, false)
    await session.close()
  }
  if (!isAnswered || !plugin.settings.autoInferTitle || !hasNoName(file)) return
  const now = await opened.vault.notebook.vault.read(notePath(file.path))
  if (now !== undefined) await inferTitle(plugin, file, now.text, signal)
}

/** Never in front of the properties. */
function cursorIn(editor: Editor, text: string): number {
  return Math.max(editor.posToOffset(editor.getCursor()), findFrontmatter(text)?.end ?? 0)
}

type End = Extract<AgentEvent, { type: 'run-end' }>

/** Often enough to be read as it comes. */
const everyMs = 60

/** Writes until the answer is complete, or the user types into it. */
async function write(
  events: AsyncGenerator<AgentEvent>,
  said: AnswerText,
  place: AnswerBlock,
  plugin: NotewrightPlugin,
): Promise<End | undefined> {
  let timer = 0
  const show = () => {
    timer = 0
    // Ending the event iteration stops the turn.
    if (place.write(said.growing()) === 'touched') void events.return(undefined)
  }
  try {
    for await (const event of events) {
      said.hear(event)
      if (event.type === 'notice') plugin.tell(event.text)
      if (event.type === 'run-end') return event
      if (timer === 0) timer = window.setTimeout(show, everyMs)
    }
    return undefined
  } finally {
    window.clearTimeout(timer)
  }
}

interface Answered {
  place: AnswerBlock
  said: AnswerText
  end: End | undefined
  session: Session
  signal: AbortSignal
}

/** Writes the end of the answer, and notifies the user if it is not visible. */
async function finish(
  plugin: NotewrightPlugin,
  { vault }: OpenPlugin,
  { place, said, end, session, signal }: Answered,
): Promise<void> {
  const { path } = place.file
  const was = place.block
  const block = said.isEmpty ? '' : said.whole()
  const outcome = place.finish(block)
  if (outcome === 'touched') plugin.tell(`The answer in ${path} was stopped, because you typed in it.`)
  if (outcome === 'closed' && (was !== '' || block !== '')) {
    const isThere = await answerInFile(vault.notebook, path, { was, block, session: session.id })
    if (!isThere)
      plugin.tell(`${path} no longer exists, so the answer could not be written there:\n\n${end?.text ?? ''}`, 0)
    else if (block !== '') plugin.tell(`The answer is in ${path}. To remove it, run Undo last change.`)
  }
  await saveEditors(plugin.app, place.file)
  if (end?.failure !== undefined) plugin.tell(noticeOf(end.failure))
  else if (signal.aborted)
    plugin.tell(
      `${(signal.reason as Error).message} ${block === '' ? '' : `The text already written to ${path} is kept.`}`,
    )
}
