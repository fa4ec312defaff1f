import type { StagedStep } from '../../../core/vault/index.js'
import { type FileAccess, makeFolders, type OpenFolder, writeAll } from '../files/index.js'
import { freeNames } from './trash-paths.js'
import type { VaultFolders } from './vault-folders.js'

type Deleted = StagedStep & { kind: 'trash' }

/**
 * Copies notes into the trash of the desktop, as freedesktop.org describes it, and makes the copies last.
 * Answers how to take them out again, or undefined when not all of them could be put there.
 */
export async function copyToSystemTrash(
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
          // The info file comes first: it is what claims the name.
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

// A vault on another disk (encrypted, or carried about) keeps what is deleted from it.
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
    // One copy too many in the trash is better than one too few.
  }
}
