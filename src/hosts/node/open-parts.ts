import { accessSync, constants } from 'node:fs'
import { type Config, journalBytes } from '../../core/config/index.js'
import { folderVault } from './folder-vault/index.js'
import { type OpenedStore, openStore } from './open-store.js'
import { privateFolder, type StateFolders, vaultFolders, whyUnwritable } from './state/index.js'

/** Which folder of notes to open, how, and where what belongs to it is kept. Plain data, so that a thread can open it too. */
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

/** The vault, its journal and its index, where this machine keeps them. */
export async function openParts({ root, config, folders }: NotebookSettings, readsAhead = false) {
  const own = vaultFolders(folders, root)
  const opened = await openStore(own.index, readsAhead)
  const journalTrouble = await whyNoJournal(own.journal)
  const vault = await folderVault({
    root,
    stateDir: own.journal,
    exclude: config.exclude,
    retention: { changes: config.journal.changes, days: config.journal.days, bytes: journalBytes(config) },
    systemTrash: folders.systemTrash,
  })
  return { ...opened, vault, stateDir: own.journal, trouble: troubleOf(own, opened, journalTrouble) }
}

/** Notes can be read and searched without a journal, so this is no reason not to open the vault. */
async function whyNoJournal(folder: string): Promise<string | undefined> {
  try {
    accessSync(await privateFolder(folder), constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const why = whyUnwritable(error)
    if (why === undefined) throw error
    return why
  }
}

function troubleOf(
  { index, journal }: { index: string; journal: string },
  { unkeptBecause }: OpenedStore,
  journalTrouble: string | undefined,
): string | undefined {
  const inIndex = unkeptBecause && `${index} (${unkeptBecause})`
  const inJournal = journalTrouble && `${journal} (${journalTrouble})`
  if (inIndex && inJournal) {
    return `Nothing can be kept in ${inIndex} and ${inJournal}: searching goes on in memory, no note can be changed, and NOTEWRIGHT_HOME=/path/to/a/folder names another place.`
  }
  if (inIndex) return `The index cannot be kept in ${inIndex}, so searching goes on in memory.`
  return inJournal && `The journal cannot be written in ${inJournal}, so notes can be searched but not changed.`
}
