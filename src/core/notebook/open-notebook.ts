import type { JournaledVault } from '../vault/index.js'
import {
  type IndexStore,
  markVectorsLost,
  type NoteIndex,
  openVaultIndex,
  runStage,
  type VaultIndexSetup,
} from '../vault-index/index.js'
import { applyAndIndex } from './apply-and-index.js'
import { bringUpToDate } from './bring-up-to-date.js'
import { embed, embeddingStatus, type NotebookEmbeddings } from './embed.js'
import { followVault } from './follow-vault.js'
import { freshness, lookForChanges, lostVectors } from './freshness.js'
import { history, planUndo } from './history.js'
import type { IndexReport, Notebook, NotebookStatus, UpdateOptions } from './notebook.js'
import type { OpenParts, RunStages } from './open-parts.js'
import { repairing, withRepair } from './repair.js'
import { searchNow } from './search-now.js'
import { unsettled } from './unsettled.js'
import { updateBehind } from './update-behind.js'

export interface NotebookSetup {
  vault: JournaledVault
  /** Closed with the notebook. */
  store: IndexStore
  /** Runs large work elsewhere, so that this thread stays free to answer; here, unless told. */
  runStages?: RunStages
  /** What writes what a change set has touched into the index; this thread alone, unless told. */
  newWriter?: VaultIndexSetup['newWriter']
  /** The vault is listed while the index is read: for those who search at once, and so ask how fresh it is. */
  listsAhead?: boolean
  /** Why the store had to be begun anew, where it was. */
  rebuiltBecause?: string
  /** false where the person has switched them off; true unless told. */
  wantsVectors?: boolean
  /** A provider's model whose vectors join the ranking. */
  embeddings?: NotebookEmbeddings
}

export async function openNotebook(setup: NotebookSetup): Promise<Notebook> {
  const parts = await openParts(setup)
  const { vault, store, index } = parts

  const update = (options: UpdateOptions = {}): Promise<IndexReport> =>
    withRepair(parts, async () => {
      const spent = await bringUpToDate(parts, options)
      const { notes, chunks, links } = await index.counts()
      return { notes, chunks, links, skipped: await index.skipped(), ...spent }
    })

  return {
    vault,
    index: {
      ...repairing<NoteIndex>(parts, {
        ...index,
        search: (request) => searchNow(parts, request),
      }),
      update,
    },
    update,
    updateBehind: (options) => updateBehind(parts, options),
    catchUp: (options) =>
      withRepair(parts, async () => {
        await bringUpToDate(parts, { ...options, found: await lookForChanges(parts) })
      }),
    async refresh(options) {
      parts.unseen = undefined
      const found = await withRepair(parts, () => lookForChanges(parts))
      if (found.count > 0) await bringUpToDate(parts, { ...options, found, vectors: false })
    },
    freshness: () => withRepair(parts, () => freshness(parts)),
    apply: (changeSet) => applyAndIndex(parts, changeSet),
    history: (options) => history(vault, options),
    planUndo: (which, settle) => planUndo(vault, which, settle),
    unsettled: () => unsettled(vault),
    embed: (options) => embed(parts, options),
    status: () => withRepair(parts, () => status(parts)),
    follow: () => followVault(parts),
    async close() {
      parts.closing.abort()
      await Promise.all([parts.background, parts.mending, parts.embedding])
      await store.close()
    },
  }
}

async function openParts(setup: NotebookSetup): Promise<OpenParts> {
  const { vault, store, runStages, newWriter, listsAhead, rebuiltBecause, wantsVectors = true, embeddings } = setup
  if (rebuiltBecause !== undefined) await markVectorsLost(store, rebuiltBecause)
  const opening = openVaultIndex({ vault, store, newWriter, embedder: embeddings?.embedder })
  const sumAhead = listsAhead ? vault.sum() : undefined
  sumAhead?.catch(() => undefined)
  const runHere: RunStages = async (stages, { onDone, ...options }) => {
    for (const stage of stages) {
      await runStage(stage, { vault, store }, options)
      onDone?.(stage)
    }
  }
  return {
    vault,
    store,
    index: await opening,
    runStages: runStages ?? runHere,
    sumAhead,
    rebuiltBecause,
    wantsVectors,
    embeddings,
    embedding: Promise.resolve(),
    background: Promise.resolve(),
    closing: new AbortController(),
  }
}

async function status(parts: OpenParts): Promise<NotebookStatus> {
  const { index } = parts
  const embeddings = await embeddingStatus(parts)
  return {
    ...(await index.counts()),
    freshness: await freshness(parts),
    hasAllVectors: await index.hasAllVectors(),
    ...(embeddings && { embeddings }),
    skipped: await index.skipped(),
    ...(await lostVectors(parts)),
    ...(parts.rebuiltBecause !== undefined && { rebuiltBecause: parts.rebuiltBecause }),
  }
}
