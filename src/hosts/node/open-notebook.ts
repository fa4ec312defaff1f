import { type Notebook, type NotebookStatus, openNotebook as openOn } from '../../core/index/index.js'
import type { FolderEmbeddings } from './embeddings.js'
import { type NotebookSettings, openIndexedVault } from './open-index.js'
import { type HostEnvironment, vaultFolders } from './state-folders.js'
import { changeWriter, runInThreads } from './threads.js'

export type { NotebookSettings }

/** A notebook on a local folder, with its index and its journal in the state folders. */
export interface FolderNotebook extends Notebook {
  readonly root: string
  readonly stateDir: string
  /** Temporary files that were left in the vault. With `removes`, those with known content are deleted. */
  strayFiles(options?: { removes?: boolean }): Promise<string[]>
  /** The reason why state cannot be stored, as a sentence for the user. */
  readonly trouble?: string | undefined
  /** The model chosen for embeddings, where one is. */
  readonly embeddings?: FolderEmbeddings | undefined
  status(): Promise<NotebookStatus & { indexFile: string; indexBytes: number }>
}

export interface OpenNotebookOptions {
  /** Lists the vault while the index is read: faster for a search right after opening. */
  listsAhead?: boolean
  /** Reads the whole index at the start: faster for many queries. */
  readsAhead?: boolean
  /** The source of keys and addresses of providers. Without it no provider is used. */
  surroundings?: Pick<HostEnvironment, 'environment'>
}

export async function openFolderNotebook(
  settings: NotebookSettings,
  { listsAhead, readsAhead, surroundings }: OpenNotebookOptions = {},
): Promise<FolderNotebook> {
  const { journal: stateDir } = vaultFolders(settings.folders, settings.root)
  const embeddings = surroundings && (await embeddingsFor(settings, stateDir, surroundings))
  const { vault, store, indexFile, unkeptBecause, trouble } = await openIndexedVault(settings, readsAhead)
  const { rebuiltBecause } = store
  // A thread cannot see an index in the memory of this one.
  const runStages = unkeptBecause === undefined ? runInThreads(settings) : undefined
  const wantsVectors = settings.config.index?.vectors
  const notebook = await openOn({
    vault,
    store,
    runStages,
    newWriter: (notes = 0) => changeWriter(store, notes),
    listsAhead,
    rebuiltBecause,
    wantsVectors,
    embeddings: embeddings?.source,
  })
  return {
    ...notebook,
    root: settings.root,
    stateDir,
    strayFiles: (options) => vault.strayFiles(options),
    trouble,
    embeddings,
    status: async () => ({ ...(await notebook.status()), indexFile, indexBytes: await store.bytes() }),
  }
}

/** Loaded only where needed: most vaults use no embeddings and start sooner without the provider code. */
async function embeddingsFor(
  { root, folders, config: { embeddings, permissions } }: NotebookSettings,
  stateDir: string,
  surroundings: Pick<HostEnvironment, 'environment'>,
): Promise<FolderEmbeddings | undefined> {
  if (embeddings?.model === undefined) return undefined
  const { folderEmbeddings } = await import('./embeddings.js')
  return folderEmbeddings(embeddings.model, {
    root,
    stateDir,
    folders,
    surroundings,
    config: { embeddings, permissions },
  })
}
