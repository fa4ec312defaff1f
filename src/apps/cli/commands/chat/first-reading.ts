import type { Notebook } from '../../../../core/notebook/index.js'
import type { IndexProgress } from '../../../../core/vault-index/index.js'

/** The index being brought up to date while the person already writes. */
export interface Reading {
  /** How far it is; undefined once words and links can be searched. */
  progress(): string | undefined
  /** Until words and links can be searched. One that has failed is begun again, and fails aloud. */
  text(): Promise<void>
  /** Told whenever there is more to show. Returns how to stop. */
  follow(listener: () => void): () => void
}

/** A small vault is read before anyone has looked at the prompt, which then has nothing to say about it. */
const momentMs = 250
const stepMs = 200

/** Begins to read what the index has not seen. Vectors follow, without anyone waiting for them. */
export async function beginReading(notebook: Notebook, vectors: boolean): Promise<Reading> {
  const listeners = new Set<() => void>()
  let shown: string | undefined
  let toldAt = 0
  let text: Promise<void> | undefined

  function tell(): void {
    for (const listener of listeners) listener()
  }

  function onProgress({ phase, done, total }: IndexProgress): void {
    if (phase === 'vectors' || shown === undefined) return
    shown = total > 0 ? `reading ${counted(done)} of ${counted(total)} files` : waiting
    if (Date.now() - toldAt < stepMs) return
    toldAt = Date.now()
    tell()
  }

  function begin(): Promise<void> {
    shown = waiting
    text = notebook.updateBehind({ vectors, onProgress }).text
    text.then(
      () => {
        shown = undefined
        tell()
      },
      () => {
        shown = undefined
        text = undefined
        tell()
      },
    )
    return text
  }

  const late = new Promise((resolve) => setTimeout(resolve, momentMs))
  await Promise.race([begin().catch(() => undefined), late])
  return {
    progress: () => shown,
    text: () => text ?? begin(),
    follow(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const waiting = 'reading your notes'
const counted = (number: number): string => number.toLocaleString('en')
