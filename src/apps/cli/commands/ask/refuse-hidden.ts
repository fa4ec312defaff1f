import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import { Failure } from '../../../../core/errors.js'
import type { Session } from '../../../../core/session/index.js'
import { notePath } from '../../../../core/vault/index.js'
import type { FolderVault } from '../../../../hosts/node/open-vault.js'

/** What may not be read in the vault does not leave it as an attachment either. */
export async function refuseHidden(
  files: readonly string[],
  { notebook }: Pick<FolderVault, 'notebook'>,
  session: Pick<Session, 'toolSetup'>,
): Promise<void> {
  if (files.length === 0) return
  const { guard, context } = await session.toolSetup()
  const { vault } = guard.screen(context)
  const root = await realpath(notebook.root)
  for (const file of files) {
    const place = relative(root, await realpath(file))
    if (isAbsolute(place) || place === '..' || place.startsWith(`..${sep}`)) continue
    if (await mayBeRead(place.split(sep).join('/'), vault)) continue
    throw new Failure('denied', `${file} lies in the vault and may not be read there.`, {
      hint: 'It is excluded, private, outside the project, or a rule denies it.',
    })
  }
}

async function mayBeRead(place: string, vault: Awaited<ReturnType<Session['toolSetup']>>['context']['vault']) {
  try {
    return (await vault.read(notePath(place))) !== undefined
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
