import { isNote } from '../../../core/vault/index.js'
import { whyBarred } from './read-failure.js'
import { insidePath, joinPath, type VaultFolders } from './vault-folders.js'

/**
 * Why a link leads to nothing the vault shows; undefined where its target is listed in its own place, or the link is
 * to an attachment, which nobody would look for in a search.
 */
export async function whyNotFollowed(
  { files, root }: VaultFolders,
  folder: string,
  name: string,
): Promise<string | undefined> {
  const path = joinPath(folder, name)
  if (!isNote(path) && hasExtension.test(path)) return undefined
  try {
    const target = await files.realPath(`${root}/${path}`)
    if (target === undefined) return 'it is a link that leads nowhere'
    if (`${root}/${path}`.startsWith(`${target}/`)) return 'it is a link to a folder that it lies in'
    const inside = insidePath(root, target)
    if (inside === undefined) return 'it is a link that leads out of the vault'
    return /(?:^|\/)\./.test(inside) ? 'it is a link that leads to a reserved folder' : undefined
  } catch (error) {
    const why = whyBarred(error)
    if (why === undefined) throw error
    return why
  }
}

const hasExtension = /\.[^./]+$/
