import {
  decodeNote,
  freeNames,
  type NotePath,
  removal,
  type StagedStep,
  type TrashOption,
  type TrashPlan,
  trashOption,
} from '../../../core/vault/index.js'
import { type FileAccess, makeFolders, type OpenFolder, writeAll } from '../files/file-access.js'
import { readRegular } from './read-files.js'
import { joinPath, type VaultFolders } from './vault-folders.js'

/**
 * Chooses the trash by Obsidian's setting. Files for the system's trash are copied there first, so that a crash cannot
 * lose them; if that fails, they go to `.trash`.
 */
export async function planTrash(
  folders: VaultFolders,
  steps: StagedStep[],
  systemTrash: string | undefined,
  time: number,
): Promise<TrashPlan> {
  const deleted = steps.filter((step) => step.kind === 'trash')
  const option = deleted.length === 0 ? 'none' : await configured(folders)
  if (option === 'none') return { steps: steps.map(removal), paths: new Map() }
  if (option === 'system' && systemTrash !== undefined) {
    const withdraw = await copyToSystemTrash(folders, deleted, systemTrash, time)
    if (withdraw !== undefined) return { steps: steps.map(removal), paths: new Map(), withdraw }
  }
  return { steps, paths: await trashPaths(folders, steps) }
}

const configFolder = '.obsidian'
const configFile = 'app.json' as NotePath
const configLimit = 1 << 20

/** A folder that is no Obsidian vault, or one whose settings cannot be read, keeps its deleted notes in `.trash`. */
async function configured(folders: VaultFolders): Promise<TrashOption> {
  try {
    const option = await folders.within(configFolder, async (folder): Promise<TrashOption> => {
      const stat = await folders.files.stat(folder.open.at(configFile))
      if (stat === undefined) return 'system'
      const spot = { folder, name: configFile, path: configFile, stat }
      const file = await readRegular(folders.files, spot, configLimit)
      return file === undefined ? 'local' : trashOption(decodeNote(file.bytes).text)
    })
    return option ?? 'local'
  } catch {
    return 'local'
  }
}

/** Obsidian's folder for deleted notes inside the vault. */
const trashFolder = '.trash'

/** A free name in the vault's own trash for each note that goes there. */
async function trashPaths(folders: VaultFolders, steps: StagedStep[]): Promise<Map<NotePath, NotePath>> {
  const paths = new Map<NotePath, NotePath>()
  const trashed = steps.filter((step) => step.kind === 'trash')
  if (trashed.length === 0) return paths
  const there = (await folders.within(trashFolder, ({ open }) => folders.files.listFolder(open))) ?? []
  const nextName = freeNames(there.map(({ name }) => name))
  for (const { path } of trashed) paths.set(path, joinPath(trashFolder, nextName(path)))
  return paths
}

type Deleted = StagedStep & { kind: 'trash' }

/**
 * Copies notes into the desktop's trash, as freedesktop.org describes it, and syncs the copies. Returns a function that
 * removes them, or undefined if not all could be copied.
 */
async function copyToSystemTrash(
  folders: VaultFolders,
  notes: Deleted[],
  trash: string,
  time: number,
): Promise<(() => Promise<void>) | undefined> {
  const { files, root } = folders
  const made: string[] = []
  const withdraw = async () => {
    for (const path of made.splice(0).reverse()) await removeQuietly(files, path)
  }
  async function write(folder: OpenFolder, name: string, bytes: Uint8Array, mode: number): Promise<void> {
    // `!`: a file opened to create it is there, or open throws.
    const file = (await files.open(folder.at(name), 'create', mode))!
    made.push(`${folder.realPath}/${name}`)
    try {
      await files.setMode(file, mode)
      await writeAll(files, file, bytes)
      await files.sync(file)
    } finally {
      await files.close(file)
    }
  }
  try {
    const isDone = await within(files, `${trash}/files`, (copies) =>
      within(files, `${trash}/info`, async (infos) => {
        if (!(await areOnOneDisk(files, root, copies))) return false
        const [there, described] = [await files.listFolder(copies), await files.listFolder(infos)]
        const nextName = freeNames([...there, ...described].map(({ name }) => withoutEnding(name)))
        for (const { path, before } of notes) {
          const mode = (await folders.at(path, ({ stat }) => stat?.mode)) ?? 0o600
          const name = nextName(path)
          // The info file comes first, since it reserves the name.
          await write(infos, name + infoEnding, Buffer.from(trashInfo(`${root}/${path}`, time)), 0o600)
          await write(copies, name, before.bytes, mode & 0o777)
        }
        await files.syncAll([copies.handle, infos.handle])
        return true
      }),
    )
    return isDone ? withdraw : undefined
  } catch {
    // A full disk, a folder that is not ours, a name that is too long or was taken in this very moment.
    await withdraw()
    return undefined
  }
}

const infoEnding = '.trashinfo'

function withoutEnding(name: string): string {
  return name.endsWith(infoEnding) ? name.slice(0, -infoEnding.length) : name
}

function trashInfo(path: string, time: number): string {
  const escaped = path.split('/').map(encodeURIComponent).join('/')
  return `[Trash Info]\nPath=${escaped}\nDeletionDate=${localTime(new Date(time))}\n`
}

function localTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day}T${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
}

// A vault on another disk (encrypted or removable) keeps its deleted files.
async function areOnOneDisk(files: FileAccess, root: string, folder: OpenFolder): Promise<boolean> {
  const device = (identity: string | undefined) => identity?.split(':')[0]
  return device((await files.stat(root))?.identity) === device((await files.statOpen(folder.handle)).identity)
}

async function within<T>(files: FileAccess, path: string, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
  await makeFolders(files, path)
  const folder = await files.openFolder(path)
  if (folder === undefined) throw new Error(`${path} is not a folder`)
  try {
    return await work(folder)
  } finally {
    await files.closeFolder(folder)
  }
}

async function removeQuietly(files: FileAccess, path: string): Promise<void> {
  try {
    await files.remove(path)
  } catch {
    // A surplus copy in the trash is better than a missing one.
  }
}
