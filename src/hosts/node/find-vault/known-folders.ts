import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../../core/is-record.js'
import { privateFolder } from '../state/index.js'

/** What the person said about folders that hold notes: whether each is a vault. By real path. */
export type KnownFolders = ReadonlyMap<string, boolean>

/** A file that is missing or damaged knows nothing: then the person is asked again. */
export function knownFolders(state: string): KnownFolders {
  try {
    const read: unknown = JSON.parse(readFileSync(fileIn(state), 'utf8'))
    const entries = isRecord(read) ? Object.entries(read) : []
    return new Map(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'))
  } catch {
    return new Map()
  }
}

export async function rememberFolder(state: string, root: string, isVault: boolean): Promise<void> {
  const known = new Map(knownFolders(state)).set(root, isVault)
  await privateFolder(state)
  const draft = `${fileIn(state)}.${randomUUID()}`
  await writeFile(draft, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`, { mode: 0o600 })
  await rename(draft, fileIn(state))
}

const fileIn = (state: string): string => join(state, 'folders.json')
