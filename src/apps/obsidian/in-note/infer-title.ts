import type { TFile } from 'obsidian'
import { askForTitle, type Session, titleFrom } from '../../../core/session/index.js'
import { folderOf } from '../../../core/vault/index.js'
import type { NotewrightPlugin } from '../plugin.js'
import { saveEditors } from './answer-place.js'
import { type NoteMessage, readNoteChat } from './note-chat.js'
import { openNoteSession } from './open-note-session.js'

/** Notes whose new name the person was asked about already: once is enough. */
const offered = new WeakSet<TFile>()

/** A name that nobody has chosen: the app's own for a new note, or a date with its time. Daily notes have names. */
export function hasNoName(file: TFile): boolean {
  return (
    !offered.has(file) && /^(?:Untitled(?: \d+)?|\d{4}\D?\d\d\D?\d\d\D{0,2}\d\d\D?\d\d[\D\d]{0,4})$/.test(file.basename)
  )
}

/**
 * Names the note after what is said in it. A rename as every other: planned with its links, shown where the person wants to
 * be asked, and taken back by undo.
 */
export async function inferTitle(
  plugin: NotewrightPlugin,
  file: TFile,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  offered.add(file)
  const { messages, tools: _, ...chat } = readNoteChat(text)
  if (messages.length === 0) return plugin.tell('There is nothing in this note to name it after.')
  const session = await openNoteSession(plugin, file, text, { messages: [], ...chat })
  if (session === undefined) return plugin.tell('This note is private or excluded, so that none of it is sent.')
  try {
    const title = await titleOf(session, messages, signal)
    if (title === undefined) return plugin.tell('The model has no title for this note.')
    if (title === file.basename) return plugin.tell('The note is called so already.')
    await saveEditors(plugin.app, file)
    const folder = folderOf(file.path)
    const new_path = `${folder === '' ? '' : `${folder}/`}${title}.md`
    const result = await session.call({ name: 'rename_note', input: { path: file.path, new_path } }, signal)
    if (result.ok) plugin.tell(result.text)
  } finally {
    await session.close()
  }
}

async function titleOf(
  session: Session,
  messages: readonly NoteMessage[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const model = await session.model()
  const [first] = messages
  // Without a model: the first words.
  if (model.provider === 'offline') return titleFrom(first.text.split('\n', 1)[0])
  const exchange = messages.map(({ role, text: content }) => ({ role, content }))
  return (await askForTitle(model, exchange.slice(0, mostMessages), signal)).title
}

const mostMessages = 6
