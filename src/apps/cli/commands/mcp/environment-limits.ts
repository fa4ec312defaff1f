import type { SessionScope } from '../../../../core/approval/index.js'

type Environment = Record<string, string | undefined>

/** `OBSIDIAN_READ_PATHS` and `OBSIDIAN_WRITE_PATHS`, as other servers for Obsidian have them: folders with commas between. */
export function folderScope(environment: Environment): SessionScope {
  const reads = foldersIn(environment.OBSIDIAN_READ_PATHS)
  const writes = foldersIn(environment.OBSIDIAN_WRITE_PATHS)
  return { ...(reads && { reads }), ...(writes && { writes }) }
}

/** `OBSIDIAN_READ_ONLY`. */
export function isReadOnly({ OBSIDIAN_READ_ONLY: said = '' }: Environment): boolean {
  return ['true', '1', 'yes', 'on'].includes(said.trim().toLowerCase())
}

function foldersIn(list: string | undefined): string[] | undefined {
  const folders = (list ?? '')
    .split(',')
    .map((folder) => folder.trim().replace(/^\.?\/+|\/+$/g, ''))
    .filter((folder) => folder !== '')
  return folders.length === 0 ? undefined : folders
}
