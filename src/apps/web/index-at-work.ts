import type { Notebook } from '../../core/notebook/index.js'
import type { IndexProgress } from '../../core/vault-index/index.js'

/** The index while it is brought up to date behind whatever else goes on. */
export interface IndexAtWork {
  /** Begins, unless it goes on already. `anew`: from nothing. */
  begin(anew?: boolean): void
  isRunning(): boolean
  /** How far it is. */
  progress(): IndexProgress | undefined
  /** Why the last time failed. */
  trouble(): string | undefined
}

export function indexAtWork(notebook: Notebook, wantsVectors: () => boolean): IndexAtWork {
  let isRunning = false
  let progress: IndexProgress | undefined
  let trouble: string | undefined

  async function work(anew: boolean): Promise<void> {
    isRunning = true
    trouble = undefined
    try {
      const onProgress = (told: IndexProgress) => {
        progress = told
      }
      await notebook.updateBehind({ anew, vectors: wantsVectors(), onProgress }).done
    } catch (error) {
      trouble = (error as Error).message
    } finally {
      isRunning = false
      progress = undefined
    }
  }

  return {
    begin: (anew = false) => void (isRunning || work(anew)),
    isRunning: () => isRunning,
    progress: () => progress,
    trouble: () => trouble,
  }
}
