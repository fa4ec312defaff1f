import { type Notebook, type NotebookStatus, openNotebook as openOn } from '../../core/notebook/index.js'
import type { FolderEmbeddings } from './embeddings/index.js'
import { type NotebookSettings, openParts } from './open-parts.js'
import { runInThreads } from './run-in-threads.js'
import { changeWriter } from './segment-thread.js'
import type { Surroundings } from './state/index.js'

export type { NotebookSettings }

/** A notebook on a folder of this machine, with its index in one file and its journal beside. */
export interface FolderNotebook extends Notebook {
  readonly root: string
  readonly stateDir: string
  /** Temporary files that were left in the vault; those whose bytes are known are taken away where `removes` says so. */
  strayFiles(options?: { removes?: boolean }): Promise<string[]>
  /** What cannot be kept on this machine, in a sentence for the person. */
  readonly trouble?: string
  /** The model chosen for embeddings, where one is. */
  readonly embeddings?: FolderEmbeddings
  status(): Promise<NotebookStatus & { indexFile: string; indexBytes: number }>
}

export interface OpenOptions {
  /** The vault is listed while the index is read: for those who search at once, and so ask how fresh it is. */
  listsAhead?: boolean
  /** All of the index is read at the start: for those who ask many questions. */
  readsAhead?: boolean
  /** Where keys and addresses of providers come from; without it none is asked. */
  surroundings?: Pick<Surroundings, 'environment'>
}

export async function openNotebook(
  settings: NotebookSettings,
  { listsAhead, readsAhead, surroundings }: OpenOptions = {},
): Promise<FolderNotebook> {
  const { vault, store, indexFile, stateDir, unkeptBecause, trouble } = await openParts(settings, readsAhead)
  const { rebuiltBecause } = store
  // Another thread could not see what is in the memory of this one.
  const runStages = unkeptBecause === undefined ? runInThreads(settings) : undefined
  const wantsVectors = settings.config.index?.vectors
  const embeddings = surroundings && (await embeddingsFor(settings, stateDir, surroundings))
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

/** Most vaults have none, and start sooner without what speaks to providers. */
async function embeddingsFor(
  { root, folders, config: { embeddings, permissions } }: NotebookSettings,
  stateDir: string,
  surroundings: Pick<Surroundings, 'environment'>,
): Promise<FolderEmbeddings | undefined> {
  if (embeddings?.model === undefined) return undefined
  const { folderEmbeddings } = await import('./embeddings/index.js')
  return folderEmbeddings(embeddings.model, {
    root,
    stateDir,
    folders,
    surroundings,
    config: { embeddings, permissions },
  })
}
