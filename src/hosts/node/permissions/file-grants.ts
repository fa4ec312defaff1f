import { randomBytes } from 'node:crypto'
import type { GrantStore, KeptGrant } from '../../../core/approval/index.js'
import { type FileAccess, makeFolders, nodeFiles, readWhole, writeNew } from '../files/index.js'
import { withLock } from '../lock/index.js'

export interface FileGrantsOptions {
  /** The vault's state folder, outside the vault. */
  folder: string
  /** Told when the file had to be put aside. */
  onTrouble?(text: string): void
  now?: () => number
  files?: FileAccess
}

const sizeLimit = 1 << 20

/**
 * Decisions for always, in a file that a person can read and nobody else. Each load looks whether another process has
 * changed it, so a grant that is revoked in one window is gone in all of them.
 */
export function fileGrants({
  onTrouble = () => {},
  now = Date.now,
  files = nodeFiles,
  ...place
}: FileGrantsOptions): GrantStore {
  const folder = `${place.folder.replaceAll('\\', '/').replace(/\/+$/, '')}/permissions`
  const path = `${folder}/grants.json`
  let known: { stamp: string; grants: KeptGrant[] } | undefined

  async function load(): Promise<KeptGrant[]> {
    const stamp = await stampOf()
    if (known?.stamp !== stamp) known = { stamp, grants: stamp === 'none' ? [] : await readOrNone() }
    return [...known.grants]
  }

  /** Whatever is wrong with the file, it then allows nothing: calls ask again, and none fails for it. */
  async function readOrNone(): Promise<KeptGrant[]> {
    try {
      return (await read()) ?? (await alone(putAside))
    } catch (error) {
      onTrouble(`${path} cannot be read, so nothing in it is allowed (${(error as Error).message}).`)
      return []
    }
  }

  async function stampOf(): Promise<string> {
    const stat = await files.stat(path)
    return stat === undefined ? 'none' : `${stat.identity}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`
  }

  /** undefined when the file is not what we wrote. */
  async function read(): Promise<KeptGrant[] | undefined> {
    const stat = await files.stat(path)
    if (stat === undefined) return []
    if (stat.kind !== 'file' || stat.size > sizeLimit) return undefined
    const bytes = await readWhole(files, path)
    return bytes === undefined ? [] : grantsIn(Buffer.from(bytes).toString('utf8'))
  }

  /** A damaged file allows nothing. It is kept for its owner to look at, and said so. */
  async function putAside(): Promise<KeptGrant[]> {
    const grants = await read()
    if (grants !== undefined) return grants
    const aside = `${folder}/grants.damaged-${new Date(now()).toISOString().replace(/[:.]/g, '-')}.json`
    await files.rename(path, aside)
    onTrouble(`${path} is damaged, so nothing in it is allowed. It was kept as ${aside}.`)
    return []
  }

  async function change(edit: (grants: KeptGrant[]) => KeptGrant[]): Promise<void> {
    await alone(async () => {
      const before = await putAside()
      const after = edit(before)
      if (after.length === before.length && after.every((grant, at) => grant === before[at])) return
      await write(after)
    })
  }

  async function write(grants: KeptGrant[]): Promise<void> {
    const temporary = `${folder}/grants.${randomBytes(6).toString('hex')}.tmp`
    try {
      await writeNew(files, temporary, Buffer.from(`${JSON.stringify({ version: 1, grants }, null, 2)}\n`))
      await files.rename(temporary, path)
    } catch (error) {
      if ((await files.stat(temporary)) !== undefined) await files.remove(temporary)
      throw error
    }
    const open = await files.openFolder(folder)
    if (open === undefined) return
    try {
      await files.syncFolder(open)
    } finally {
      await files.closeFolder(open)
    }
  }

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    await makeFolders(files, folder)
    return withLock(files, folder, { subject: 'The list of remembered decisions', waitMs: 10_000 }, work)
  }

  return {
    load,
    add: (grant) => change((grants) => [...grants.filter(({ rule }) => rule !== grant.rule), grant]),
    async revoke(id) {
      let isFound = false
      await change((grants) => {
        isFound = grants.some((grant) => grant.id === id)
        return grants.filter((grant) => grant.id !== id)
      })
      return isFound
    },
  }
}

function grantsIn(text: string): KeptGrant[] | undefined {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch {
    return undefined
  }
  const { version, grants } = (tree ?? {}) as { version?: unknown; grants?: unknown }
  return version === 1 && Array.isArray(grants) && grants.every(isGrant) ? grants : undefined
}

function isGrant(value: unknown): value is KeptGrant {
  const { id, rule, createdAt, about } = (value ?? {}) as Record<string, unknown>
  const isText = (text: unknown) => typeof text === 'string' && text !== ''
  return isText(id) && isText(rule) && isText(createdAt) && (about === undefined || typeof about === 'string')
}
