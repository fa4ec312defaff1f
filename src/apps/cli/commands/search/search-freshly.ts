import type { Notebook } from '../../../../core/notebook/index.js'
import type { SearchAnswer, SearchRequest } from '../../../../core/vault-index/index.js'
import type { Invocation } from '../../program/invocation.js'

/** So few changed files are read before answering: it takes less time than a person notices. */
const fewFiles = 200

/**
 * Searches an index that may be behind. A vault that was never indexed is indexed first, a few changed notes are
 * read first; with many, the answer comes at once and says how far behind it is.
 */
export async function searchFreshly(
  notebook: Notebook,
  request: SearchRequest,
  { terminal, signal }: Pick<Invocation, 'terminal' | 'signal'>,
): Promise<SearchAnswer> {
  const left = filesLeft(await notebook.freshness())
  if (left === 0) return notebook.index.search(request)
  const { notes } = await notebook.status()
  if (notes > 0 && left > fewFiles) return notebook.index.search(request)
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
