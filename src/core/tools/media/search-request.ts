import { Failure } from '../../errors.js'
import type { WebSearchSettings } from '../tool-context.js'

export interface SearchRequest {
  url: string
  headers: Record<string, string>
}

interface SearchEngine {
  request(base: URL, query: string, limit: number, key?: string): SearchRequest
  /** Where the results lie in the answer. */
  results(answer: Answer): unknown
  hints: Record<number, string>
}

type Answer = { results?: unknown; web?: { results?: unknown } }

const brave = 'https://api.search.brave.com/res/v1/web/search'

export const searchEngines: Record<WebSearchSettings['engine'], SearchEngine> = {
  searxng: {
    request(base, query, _limit, key) {
      if (!base.pathname.endsWith('/search')) base.pathname = `${base.pathname.replace(/\/$/, '')}/search`
      base.searchParams.set('q', query)
      base.searchParams.set('format', 'json')
      return { url: base.href, headers: bearer(key) }
    },
    results: ({ results }) => results,
    hints: { 403: 'This SearXNG does not answer in JSON; add json to search.formats in its settings.yml.' },
  },
  brave: {
    request(base, query, limit, key) {
      if (!key) throw notConfigured('Brave Search needs a key.')
      base.searchParams.set('q', query)
      base.searchParams.set('count', `${limit}`)
      return { url: base.href, headers: { 'x-subscription-token': key } }
    },
    results: ({ web }) => web?.results,
    hints: { 401: 'Check the key for Brave Search.', 403: 'Check the key for Brave Search.' },
  },
  custom: {
    request(base, query, limit, key) {
      base.searchParams.set('q', query)
      base.searchParams.set('limit', `${limit}`)
      return { url: base.href, headers: bearer(key) }
    },
    results: ({ results }) => results,
    hints: { 401: 'Check the setting web.searchKey.', 403: 'Check the setting web.searchKey.' },
  },
}

/** The whole request as the person configured it, before anything is sent. */
export function searchRequest(settings: WebSearchSettings | undefined, query: string, limit: number): SearchRequest {
  if (settings === undefined) throw notConfigured('Web search is not configured.')
  const address = settings.url || (settings.engine === 'brave' ? brave : '')
  if (!URL.canParse(address)) throw notConfigured('Web search has no address to ask.')
  const { url, headers } = searchEngines[settings.engine].request(new URL(address), query, limit, settings.key)
  return { url, headers: { accept: 'application/json', ...headers } }
}

function bearer(key: string | undefined): Record<string, string> {
  return key ? { authorization: `Bearer ${key}` } : {}
}

function notConfigured(message: string): Failure {
  return new Failure('network', message, {
    hint: 'Set web.searchEngine (searxng, brave or custom), web.searchUrl, and web.searchKey where it needs one.',
  })
}
