import type { Notebook } from '../../../../core/notebook/index.js'
import type { SearchAnswer, SearchRequest } from '../../../../core/vault-index/index.js'
import type { Invocation } from '../../program/invocation.js'

/** So many changed files are read in a few seconds, and a right answer is worth that. */
const soonRead = 10_000
/** Fewer are read before anyone has read a sentence about it. */
const fewFiles = 200

/**
 * Searches an index that may be behind. A vault that was never indexed is indexed first, and what a sync or a pull has
 * brought is read first; after more than that the answer comes within a second or so and says what it does without.
 */
export async function searchFreshly(
  notebook: Notebook,
  request: SearchRequest,
  { terminal, signal }: Pick<Invocation, 'terminal' | 'signal'>,
): Promise<SearchAnswer> {
  const left = filesLeft(await notebook.freshness())
  if (left === 0) return notebook.index.search(request)
  const { notes } = await notebook.status()
  if (notes > 0 && left > soonRead) return notebook.index.search(request)
  if (notes === 0 && left > fewFiles) terminal.say('First search in this vault: indexing it.')
  terminal.trace(`index is behind by ${left} files, catching up`)
  const bar = terminal.progress()
  try {
    await notebook.catchUp({ signal, vectors: false, onProgress: bar.show })
  } finally {
    bar.clear()
  }
  return notebook.index.search(request)
}

function filesLeft(freshness: SearchAnswer['freshness']): number {
  return Number(/\d+/.exec(freshness)?.[0] ?? 0)
}
