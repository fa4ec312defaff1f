import type { FileReference } from '../../../core/agent/index.js'
import { fileFacts } from '../../../core/files/index.js'
import { hashBytes, notePath } from '../../../core/vault/index.js'
import type { PluginVault } from '../../../hosts/obsidian/index.js'

/** A picture of a conversation as it was looked at; undefined where it is gone, or another one by now. Nothing is loaded from elsewhere. */
export async function keptPicture(
  { sessions, notebook }: PluginVault,
  session: string,
  { from, hash, name }: FileReference,
): Promise<Blob | undefined> {
  const bytes =
    from === 'given' ? await sessions.file(session, hash) : (await notebook.vault.read(notePath(name)))?.bytes
  if (bytes === undefined || hashBytes(bytes) !== hash) return undefined
  // By its bytes and not by its name: nothing but a picture is drawn.
  const facts = fileFacts(name, bytes)
  return facts?.kind === 'image' ? new Blob([bytes.slice()], { type: facts.mediaType }) : undefined
}
