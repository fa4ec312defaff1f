import type { Embedder, EmbeddingProgress, StoredNote } from '../vault-index/index.js'
import type { UpdateOptions } from './notebook.js'
import type { OpenParts } from './open-parts.js'

/** A provider's model for the notes of one vault. */
export interface NotebookEmbeddings {
  embedder: Embedder
  /** Tells the notes that rules keep from it. Looked up for each run. */
  withheld?(): Promise<(note: StoredNote) => boolean>
}

export interface EmbeddingStatus extends EmbeddingProgress {
  model: string
  /** Why the last run ended before all were made. */
  failure?: string
}

/** Asks for the vectors that are missing. One run at a time: a second one finds what the first has made. */
export function embed(parts: OpenParts, options: Pick<UpdateOptions, 'signal' | 'onProgress'> = {}): Promise<void> {
  const run = async () => {
    parts.embeddingFailure = undefined
    try {
      await parts.index.embed({ ...options, isWithheld: await parts.embeddings?.withheld?.(), yieldEveryMs: 50 })
    } catch (error) {
      if (!options.signal?.aborted) parts.embeddingFailure = error instanceof Error ? error.message : String(error)
      throw error
    }
  }
  const done = parts.embedding.then(run)
  parts.embedding = done.catch(() => undefined)
  return done
}

/** The same for whoever does not wait. What fails is told by `status`. */
export function embedBehind(parts: OpenParts): void {
  if (parts.embeddings !== undefined) embed(parts, { signal: parts.closing.signal }).catch(() => undefined)
}

export async function embeddingStatus(parts: OpenParts): Promise<EmbeddingStatus | undefined> {
  const progress = await parts.index.embedded()
  if (parts.embeddings === undefined || progress === undefined) return undefined
  const { embeddingFailure: failure } = parts
  return { model: parts.embeddings.embedder.id, ...progress, ...(failure !== undefined && { failure }) }
}
