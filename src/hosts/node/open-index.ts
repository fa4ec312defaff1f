import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { type Config, journalBytes } from '../../core/config/index.js'
import { type IndexStore, memoryStore } from '../../core/index/index.js'
import { folderVault } from './folder-vault/folder-vault.js'
import { sqliteStore } from './sqlite-store/sqlite-store.js'
import { privateFolder, type StateFolders, unwritableReason, vaultFolders } from './state-folders.js'

/** The vault folder, its settings and its state folders. Plain data, so that a thread can open it too. */
export interface NotebookSettings {
  /** Real path of the vault's folder. */
  root: string
  config: Pick<Config, 'exclude' | 'journal'> & {
    index?: Config['index']
    embeddings?: Config['embeddings']
    permissions?: Config['permissions']
  }
  folders: StateFolders
}

/** Opens the vault with its journal and its index store. */
export async function openIndexedVault({ root, config, folders }: NotebookSettings, readsAhead = false) {
  const own = vaultFolders(folders, root)
  const opened = await openStore(own.index, readsAhead)
  try {
    const journalTrouble = await whyNoJournal(own.journal)
    const vault = await folderVault({
      root,
      stateDir: own.journal,
      exclude: config.exclude,
      retention: { changes: config.journal.changes, days: config.journal.days, bytes: journalBytes(config) },
      systemTrash: folders.systemTrash,
    })
    return { ...opened, vault, trouble: storageProblem(own, opened, journalTrouble) }
  } catch (error) {
    await opened.store.close()
    throw error
  }
}

/** Notes can be read and searched without a journal, so this is no reason not to open the vault. */
async function whyNoJournal(folder: string): Promise<string | undefined> {
  try {
    accessSync(await privateFolder(folder), constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const why = unwritableReason(error)
    if (why === undefined) throw error
    return why
  }
}

function storageProblem(
  { index, journal }: { index: string; journal: string },
  { unkeptBecause }: OpenedStore,
  journalTrouble: string | undefined,
): string | undefined {
  const inIndex = unkeptBecause && `${index} (${unkeptBecause})`
  const inJournal = journalTrouble && `${journal} (${journalTrouble})`
  if (inIndex && inJournal) {
    return `Can't write to ${inIndex} and ${inJournal}. Search works in memory, but notes can't be changed. To use another folder: NOTEWRIGHT_HOME=/path/to/a/folder`
  }
  if (inIndex) return `Can't save the index in ${inIndex}. Search works in memory.`
  return inJournal && `Can't write the journal in ${inJournal}. You can search your notes, but not change them.`
}

interface OpenedStore {
  store: IndexStore & { readonly rebuiltBecause?: string | undefined; bytes(): Promise<number> }
  indexFile: string
  /** The reason why the index is only in memory. */
  unkeptBecause?: string
}

/** The index of a vault in its folder; where nothing can be written, one in memory: searching must not end with that. */
async function openStore(folder: string, readsAhead: boolean): Promise<OpenedStore> {
  const indexFile = join(folder, 'index.db')
  try {
    await privateFolder(folder)
    return { store: await sqliteStore({ file: indexFile, readsAhead }), indexFile }
  } catch (error) {
    const unkeptBecause = unwritableReason(error)
    if (unkeptBecause === undefined) throw error
    return { store: { ...memoryStore(), bytes: async () => 0 }, indexFile, unkeptBecause }
  }
}
