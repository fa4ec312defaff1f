import type { FileReference, FileSource } from '../agent/index.js'
import { type GivenFile, readGivenFiles } from '../files/index.js'
import type { ToolSetup } from '../tools/index.js'
import { hashBytes, notePath } from '../vault/index.js'
import type { SessionParts } from './session-parts.js'

/** Files as a turn takes them along; the bytes of pictures and PDFs are kept with the session. */
export async function takeFiles(
  { files, record }: Pick<SessionParts, 'files' | 'record'>,
  handed: readonly GivenFile[],
): Promise<{ texts: { name: string; text: string }[]; files: FileReference[] }> {
  const { texts, seen } = readGivenFiles(handed)
  for (const { name, facts, bytes } of seen) {
    files.set(facts.hash, { name, bytes })
    await record?.keepFile(facts.hash, bytes)
  }
  return { texts, files: seen.map(({ name, facts }) => ({ ...facts, from: 'given', name })) }
}

/** Where a session has its files: in the vault as it may be seen now, or kept with the session. */
export function fileSource(
  { id, files, told, host, guard }: Pick<SessionParts, 'id' | 'files' | 'told' | 'host' | 'guard'>,
  { context }: Pick<ToolSetup, 'context'>,
): FileSource {
  return {
    told,
    async bytes({ from, name, hash }) {
      if (from === 'given') {
        const bytes = files.get(hash)?.bytes ?? (await host.sessions.file(id, hash))
        if (bytes === undefined || hashBytes(bytes) !== hash) return undefined
        files.set(hash, { name, bytes })
        return bytes
      }
      const file = await guard
        .screen(context)
        .vault.read(notePath(name))
        .catch(() => undefined)
      return file?.hash === hash ? file.bytes : undefined
    },
  }
}
