import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { changeSet, hashBytes, notePath } from '../../src/core/vault/index.js'
import { nodeFiles } from '../../src/hosts/node/files/node-files.js'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { processEnvironment, stateFolders, vaultFolders } from '../../src/hosts/node/state-folders.js'
import { faultyFiles } from '../doubles/faulty-files.js'
import type { Stage } from './cli-harness.js'

/** The text of the soup note after the move. */
export const meant = '# Soup\n\nTomato soup with basil: ![[Love apples]]\n'

/** A move that is killed when all but its last name is in place; then a user edits `Kitchen/Soup.md`, a note of it. */
export async function cutOff(here: Stage, mine: string): Promise<string> {
  const folders = stateFolders({ ...processEnvironment(), environment: here.environment })
  const stateDir = vaultFolders(folders, here.vault).journal
  const files = faultyFiles(nodeFiles)
  const vault = await folderVault({ root: here.vault, stateDir, files })
  const hash = async (path: string) => hashBytes(new TextEncoder().encode(await here.read(path)))
  const from = 'Garden/Tomatoes.md'
  const set = changeSet('Move Tomatoes to Love apples', [
    { kind: 'move', path: notePath(from), to: notePath('Garden/Love apples.md'), before: await hash(from) },
    {
      kind: 'edit',
      path: notePath('Kitchen/Soup.md'),
      before: await hash('Kitchen/Soup.md'),
      after: Buffer.from(meant),
    },
  ])
  // The lock has taken two of these calls; then come the second name of the moved note, three for the soup, the first name.
  files.fail({ at: 7, how: 'crash', only: ['link', 'rename', 'remove'] })
  await expect(vault.apply(set)).rejects.toThrow()
  await rm(join(stateDir, 'lock'), { force: true })
  await here.write('Kitchen/Soup.md', mine)
  return set.id
}
