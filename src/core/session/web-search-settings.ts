import type { Config } from '../config/index.js'
import type { WebSearchSettings } from '../tools/index.js'

/** Which engine is asked, where the settings name one and its address is known. */
export function webSearchSettings({
  searchEngine,
  searchUrl,
  searchKey,
}: Config['web']): WebSearchSettings | undefined {
  if (searchEngine === undefined) return undefined
  const url = searchUrl ?? (searchEngine === 'brave' ? 'https://api.search.brave.com/res/v1/web/search' : undefined)
  return url === undefined ? undefined : { engine: searchEngine, url, ...(searchKey && { key: searchKey }) }
}
