import * as z from 'zod'
import { Failure } from '../../errors.js'
import { defineTool } from '../tool.js'
import type { WebSearchSettings } from '../tool-context.js'
import { plainText } from './plain-text.js'
import { requireOk, requireWeb } from './require-web.js'
import { searchEngines, searchRequest } from './search-request.js'
import { withoutUnseen } from './without-unseen.js'

const usual = 5
const most = 10

export const webSearch = defineTool({
  name: 'web_search',
  title: 'Search the web',
  description: `Search the web with the configured engine. Use it for what the notes cannot know; read a hit with web_fetch. Gives at most ${most} hits.`,
  activity: 'Searching the web',
  category: 'media',
  effects: ['reaches-network'],
  offByDefault: true,
  guidance: 'Only the query leaves this machine: write it without private details from notes or the conversation.',
  input: z.object({
    query: z.string().trim().min(1).max(400),
    limit: z.number().int().min(1).optional().describe(`Default ${usual}, at most ${most}`),
  }),
  example: { query: 'when to sow peas', limit: 3 },
  output: z.object({ results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })) }),

  async reaches({ query, limit }, { settings }) {
    const { url } = searchRequest(settings.webSearch, query, atMost(limit))
    const chosen = atMost(limit) === usual ? query : `${query} ${atMost(limit)}`
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
    if (results.length === most)
      lines.push(`(${most} hits are the most one search gives; narrow the query for others.)`)
    return lines.join('\n')
  },
  summary: ({ results }) => `${results.length} ${results.length === 1 ? 'hit' : 'hits'}`,
})

function atMost(limit = usual): number {
  return Math.min(limit, most)
}

interface Hit {
  title: string
  url: string
  snippet: string
}

function resultsIn(text: string, engine: WebSearchSettings['engine'], host: string): Hit[] {
  const results = searchEngines[engine].results(parsed(text, host))
  // Brave leaves the list out when it has found nothing.
  if (results === undefined && engine === 'brave') return []
  if (!Array.isArray(results)) throw new Failure('network', `${host} answered without a list of results.`)
  const hits = new Map<string, Hit>()
  for (const result of results) {
    const hit = hitOf(result)
    if (hit !== undefined && !hits.has(hit.url)) hits.set(hit.url, hit)
  }
  return [...hits.values()]
}

function parsed(text: string, host: string): object {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null) return answer
  } catch {
    // Said below, for both.
  }
  throw new Failure('network', `${host} did not answer in JSON.`)
}

/** Engines call the snippet by different names, and some put HTML into it. */
function hitOf(result: unknown): Hit | undefined {
  const { title, url, snippet, description, content } = (result ?? {}) as Record<string, unknown>
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  const words = [snippet, description, content].find((text) => typeof text === 'string' && text !== '')
  return { title: short(title, 200) || url, url: new URL(url).href, snippet: short(words, 500) }
}

function short(text: unknown, length: number): string {
  if (typeof text !== 'string') return ''
  const words = withoutUnseen(plainText(text.slice(0, 10 * length)))
    .replace(/\s+/g, ' ')
    .trim()
  return words.length > length ? `${words.slice(0, length).trimEnd()}…` : words
}
