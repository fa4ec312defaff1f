import { memoryStore, openVaultIndex, runStage, type SearchAnswer } from '../../src/core/index/index.js'
import { memoryVault } from '../../src/core/vault/index.js'

export interface IndexedNotes {
  /** Until everything was indexed, vectors included. */
  ms: number
  answers: SearchAnswer[]
}

/** The same as the page and its worker do, in this process. */
export async function indexedHere(notes: Record<string, string>, queries: string[]): Promise<IndexedNotes> {
  const vault = memoryVault({ files: notes, now: () => 0 })
  const store = memoryStore()
  const started = performance.now()
  await runStage('both', { vault, store }, { vectors: true, yieldEveryMs: 50 })
  const ms = performance.now() - started
  const index = await openVaultIndex({ vault, store })
  return { ms, answers: await Promise.all(queries.map((query) => index.search({ query, explain: true }))) }
}
