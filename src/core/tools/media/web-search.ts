import * as z from 'zod'
import { Failure } from '../../errors.js'
import { defineTool } from '../tool.js'
import type { WebSearchSettings } from '../tool-context.js'
import { requireOk, requireWeb, stripMarkup, withoutInvisible } from './web-text.js'

const usualHits = 5
const mostHits = 10

export const webSearch = defineTool({
  name: 'web_search',
  title: 'Search the web',
  description: `Search the web with the configured engine. Use it for information that notes cannot contain, and read a hit with web_fetch. Returns at most ${mostHits} hits.`,
  activity: 'Searching the web',
  category: 'media',
  effects: ['reaches-network'],
  offByDefault: true,
  guidance: 'The query is sent to the search engine. Leave out private details from notes or the conversation.',
  input: z.object({
    query: z.string().trim().min(1).max(400),
    limit: z.number().int().min(1).optional().describe(`Default ${usualHits}, at most ${mostHits}`),
  }),
  example: { query: 'when to sow peas', limit: 3 },
  output: z.object({ results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })) }),

  async reaches({ query, limit }, { settings }) {
    const { url } = searchRequest(settings.webSearch, query, atMost(limit))
    const chosen = atMost(limit) === usualHits ? query : `${query} ${atMost(limit)}`
    return { sends: [{ url, payload: query, chosen }] }
  },

  async run({ query, limit }, context) {
    const web = requireWeb(context)
    const { url, headers } = searchRequest(context.settings.webSearch, query, atMost(limit))
    const { engine } = context.settings.webSearch!
    const response = await web.get(url, { signal: context.signal, headers, configured: true })
    const found = resultsIn(requireOk(response, searchEngines[engine].hints).text, engine, new URL(url).host)
    return { results: found.slice(0, atMost(limit)) }
  },

  render({ results }) {
    if (results.length === 0) return 'Nothing found on the web.'
    const lines = results.map(({ title, url, snippet }, index) =>
      `${index + 1}. ${title}\n   ${url}\n   ${snippet}`.trimEnd(),
    )
    if (results.length === mostHits)
      lines.push(`(A search returns at most ${mostHits} hits. Use a narrower query for others.)`)
    return lines.join('\n')
  },
  summary: ({ results }) => `${results.length} ${results.length === 1 ? 'hit' : 'hits'}`,
})

function atMost(limit = usualHits): number {
  return Math.min(limit, mostHits)
}

interface Hit {
  title: string
  url: string
  snippet: string
}

function resultsIn(text: string, engine: WebSearchSettings['engine'], host: string): Hit[] {
  const results = searchEngines[engine].results(parseAnswer(text, host))
  // Brave leaves the list out when it has found nothing.
  if (results === undefined && engine === 'brave') return []
  if (!Array.isArray(results)) throw new Failure('network', `${host} sent no list of results.`)
  const hits = new Map<string, Hit>()
  for (const result of results) {
    const hit = hitOf(result)
    if (hit !== undefined && !hits.has(hit.url)) hits.set(hit.url, hit)
  }
  return [...hits.values()]
}

function parseAnswer(text: string, host: string): object {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer
  } catch {
    // Reported below, for both cases.
  }
  throw new Failure('network', `${host} did not return JSON.`)
}

/** Engines call the snippet by different names, and some put HTML into it. */
function hitOf(result: unknown): Hit | undefined {
  const { title, url, snippet, description, content } = (result ?? {}) as Record<string, unknown>
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  const words = [snippet, description, content].find((text) => typeof text === 'string' && text !== '')
  return { title: shortened(title, 200) || url, url: new URL(url).href, snippet: shortened(words, 500) }
}

function shortened(text: unknown, length: number): string {
  if (typeof text !== 'string') return ''
  const words = withoutInvisible(stripMarkup(text.slice(0, 10 * length)))
    .replace(/\s+/g, ' ')
    .trim()
  return words.length > length ? `${words.slice(0, length).trimEnd()}…` : words
}

interface SearchRequest {
  url: string
  headers: Record<string, string>
}

interface SearchEngine {
  request(base: URL, query: string, limit: number, key?: string): SearchRequest
  /** Finds the results in the response. */
  results(answer: EngineAnswer): unknown
  hints: Record<number, string>
}

type EngineAnswer = { results?: unknown; web?: { results?: unknown } }

const braveUrl = 'https://api.search.brave.com/res/v1/web/search'

const searchEngines: Record<WebSearchSettings['engine'], SearchEngine> = {
  searxng: {
    request(base, query, _limit, key) {
      if (!base.pathname.endsWith('/search')) base.pathname = `${base.pathname.replace(/\/$/, '')}/search`
      base.searchParams.set('q', query)
      base.searchParams.set('format', 'json')
      return { url: base.href, headers: bearer(key) }
    },
    results: ({ results }) => results,
    hints: { 403: 'This SearXNG does not return JSON. Add json to search.formats in its settings.yml.' },
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

/** The whole request as the user configured it, before anything is sent. */
function searchRequest(settings: WebSearchSettings | undefined, query: string, limit: number): SearchRequest {
  if (settings === undefined) throw notConfigured('Web search is not configured.')
  const address = settings.url || (settings.engine === 'brave' ? braveUrl : '')
  if (!URL.canParse(address)) throw notConfigured('Web search has no address.')
  const { url, headers } = searchEngines[settings.engine].request(new URL(address), query, limit, settings.key)
  return { url, headers: { accept: 'application/json', ...headers } }
}

function bearer(key: string | undefined): Record<string, string> {
  return key ? { authorization: `Bearer ${key}` } : {}
}

function notConfigured(message: string): Failure {
  return new Failure('network', message, {
    hint: 'Set web.searchEngine (searxng, brave or custom), web.searchUrl, and web.searchKey if the service needs a key.',
  })
}
