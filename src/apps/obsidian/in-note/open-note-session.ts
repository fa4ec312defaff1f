import type { TFile } from 'obsidian'
import type { Session } from '../../../core/session/index.js'
import { isPrivateNote, notePath } from '../../../core/vault/index.js'
import { seesNotes } from '../chat/tool-calling.js'
import type { NotewrightPlugin } from '../plugin.js'
import type { NoteChat } from './note-chat.js'

/** A conversation that the note itself keeps, as its properties wish; undefined for a note that nobody may be sent. */
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
