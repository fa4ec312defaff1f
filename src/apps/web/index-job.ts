import type { IndexProgress, Notebook } from '../../core/index/index.js'

/** Updates the index in the background. */
export interface IndexJob {
  /** Starts an update or a rebuild, unless one is already running. */
  begin(rebuild?: boolean): void
  isRunning(): boolean
  /** Current progress. */
  progress(): IndexProgress | undefined
  /** Error of the last run. */
  trouble(): string | undefined
}

export function indexJob(notebook: Notebook, wantsVectors: () => boolean): IndexJob {
  let isRunning = false
  let progress: IndexProgress | undefined
  let trouble: string | undefined

  async function work(rebuild: boolean): Promise<void> {
    isRunning = true
    trouble = undefined
    try {
      const onProgress = (told: IndexProgress) => {
        progress = told
      }
      await notebook.updateInBackground({ rebuild, vectors: wantsVectors(), onProgress }).done
    } catch (error) {
      trouble = (error as Error).message
    } finally {
      isRunning = false
      progress = undefined
    }
  }

  return {
    begin: (rebuild = false) => void (isRunning || work(rebuild)),
    isRunning: () => isRunning,
    progress: () => progress,
    trouble: () => trouble,
  }
}
