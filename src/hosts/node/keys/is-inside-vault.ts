import { realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** Whether a folder, there or not yet, lies in the vault in use or in any folder that Obsidian has opened as one. */
export async function isInsideVault(folder: string, vault: string | undefined): Promise<boolean> {
  const place = await realPlace(resolve(folder))
  if (vault !== undefined) {
    const inside = relative(await realPlace(resolve(vault)), place)
    if (inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && resolve(inside) !== inside)) return true
  }
  for (let above = place; ; above = dirname(above)) {
    if (await isFolder(join(above, '.obsidian'))) return true
    if (dirname(above) === above) return false
  }
}

/** The path without links, as far as it exists. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(await realPlace(above), relative(above, path))
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
