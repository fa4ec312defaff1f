import type { TFile } from 'obsidian'
import { askForTitle, type Session, titleFrom } from '../../../core/session/index.js'
import { folderOf, isPrivateNote, notePath } from '../../../core/vault/index.js'
import { seesNotes } from '../chat/tool-calling.js'
import type { NotewrightPlugin } from '../plugin.js'
import { saveEditors } from './answer-place.js'
import { type NoteChat, type NoteMessage, readNoteChat } from './note-chat.js'

/** Notes whose new name the user was asked about already: once is enough. */
const offered = new WeakSet<TFile>()

/** A generated name: the app's default for a new note, or a date with its time. Daily notes have names. */
export function hasNoName(file: TFile): boolean {
  return (
    !offered.has(file) && /^(?:Untitled(?: \d+)?|\d{4}\D?\d\d\D?\d\d\D{0,2}\d\d\D?\d\d[\D\d]{0,4})$/.test(file.basename)
  )
}

/**
 * Names the note after its content. A rename like any other: planned with its links, shown if the user wants to be
 * asked, and undoable.
 */
export async function inferTitle(
  plugin: NotewrightPlugin,
  file: TFile,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  offered.add(file)
  const { messages, tools: _, ...chat } = readNoteChat(text)
  if (messages.length === 0) return plugin.tell('This note is empty, so it has no title.')
  const session = await openNoteSession(plugin, file, text, { messages: [], ...chat })
  if (session === undefined) return plugin.tell('This note is private or excluded, so it is not sent.')
  try {
    const title = await titleOf(session, messages, signal)
    if (title === undefined) return plugin.tell('The model returned no title.')
    if (title === file.basename) return plugin.tell('The note already has this title.')
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
  if (model.provider === 'offline') return titleFrom(first?.text.split('\n', 1)[0] ?? '')
  const exchange = messages.map(({ role, text: content }) => ({ role, content }))
  return (await askForTitle(model, exchange.slice(0, mostMessages), signal)).title
}

const mostMessages = 6

/**
 * A conversation stored in the note, with the settings of its properties; undefined for a note that must not be sent.
 */
export async function openNoteSession(
  plugin: NotewrightPlugin,
  file: TFile,
  text: string,
  { messages, ...wish }: NoteChat,
): Promise<Session | undefined> {
  const opened = await plugin.opened()
  const { vault } = opened
  const kept = await vault.notebook.vault.read(notePath(file.path))
  if (kept === undefined || isPrivateNote(text)) return undefined
  const history = messages.map(({ role, text: content }) => ({ role, content }))
  const { model = vault.settings.model } = wish
  // Without tools nothing looks anything up: other modes would do so by themselves.
  const mode = seesNotes(plugin, model) ? vault.settings.mode : 'chat'
  const session = await vault.openSession({ ...wish, mode, keep: false, history })
  opened.watch(session)
  return session
}
