import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WebSearchSettings } from '../../src/core/tools/index.js'
import { webSearch } from '../../src/core/tools/media/web-search.js'
import { testContext } from '../tools/call-tool.js'
import { type LoopbackWeb, loopbackWeb } from './loopback-web.js'

let own: LoopbackWeb
beforeEach(async () => {
  own = await loopbackWeb(['search.example.org', 'api.search.brave.com'])
})
afterEach(() => own.close())

async function search(settings: WebSearchSettings | undefined, query: string, limit?: number) {
  const dailyNotes = async () => ({ folder: '', format: '' })
  const context = await testContext({}, { web: own.web, settings: { dailyNotes, webSearch: settings } })
  const { sends } = await webSearch.reaches!({ query, limit }, context)
  const output = await webSearch.run!({ query, limit }, context)
  return { sends, results: output.results, text: webSearch.render(output) }
}

function serve(host: string, answer: unknown, status = 200) {
  own.hosts[host] = (_, response) =>
    response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer))
}

const searxng = { engine: 'searxng', url: 'http://search.example.org/' } as const
const custom = { engine: 'custom', url: 'http://search.example.org/find?site=1', key: 'k' } as const

describe('web_search', () => {
  it('asks a SearXNG', async () => {
    serve('search.example.org', {
      query: 'moss & stones',
      number_of_results: 0,
      results: [
        {
          url: 'https://a.org/moss',
          title: 'Moss',
          content: 'Moss &amp; more',
          engine: 'x',
          score: 1.5,
          category: 'general',
        },
        { url: 'https://b.org/', title: '', content: null, engines: ['x'] },
      ],
      answers: [],
      suggestions: [],
    })
    const { sends, results: found, text } = await search(searxng, 'moss & stones')
    const asked = '/search?q=moss+%26+stones&format=json'
    expect(sends).toEqual([
      { url: `http://search.example.org${asked}`, payload: 'moss & stones', chosen: 'moss & stones' },
    ])
    expect(own.requests).toMatchObject([{ path: asked, headers: { accept: 'application/json' } }])
    expect(found).toEqual([
      { title: 'Moss', url: 'https://a.org/moss', snippet: 'Moss & more' },
      { title: 'https://b.org/', url: 'https://b.org/', snippet: '' },
    ])
    expect(text).toBe('1. Moss\n   https://a.org/moss\n   Moss & more\n2. https://b.org/\n   https://b.org/')
  })

  it('asks Brave with the key in a header', async () => {
    serve('api.search.brave.com', {
      type: 'search',
      query: { original: 'moss', more_results_available: true },
      web: {
        type: 'search',
        results: [
          {
            type: 'search_result',
            title: 'Moss',
            url: 'https://a.org/',
            description: 'All <strong>moss</strong>&#x27;s',
          },
        ],
      },
    })
    const { sends, results: found } = await search({ engine: 'brave', url: '', key: 'secret-key' }, 'moss', 3)
    expect(JSON.stringify(sends)).not.toContain('secret-key')
    expect(own.requests).toMatchObject([
      { path: '/res/v1/web/search?q=moss&count=3', headers: { 'x-subscription-token': 'secret-key' } },
    ])
    expect(found).toEqual([{ title: 'Moss', url: 'https://a.org/', snippet: "All moss's" }])
    serve('api.search.brave.com', { type: 'search', query: {} })
    expect((await search({ engine: 'brave', url: '', key: 'k' }, 'moss')).text).toBe('Nothing found on the web.')
  })

  it('asks an endpoint of one’s own', async () => {
    serve('search.example.org', { results: [{ title: 'A', url: 'https://a.org', snippet: 'x' }] })
    const { results: found } = await search(custom, 'moss')
    expect(own.requests).toMatchObject([
      { path: '/find?site=1&q=moss&limit=5', headers: { authorization: 'Bearer k' } },
    ])
    expect(found).toEqual([{ title: 'A', url: 'https://a.org/', snippet: 'x' }])
  })

  it('can ask one that runs on this machine', async () => {
    const here = { engine: 'custom', url: `http://127.0.0.1:${own.canary.port}/` } as const
    await expect(search(here, 'moss')).rejects.toMatchObject({ code: 'network', message: /did not answer in JSON/ })
    expect(own.canary.connections).toBe(1)
  })

  it('returns five hits by default and ten at most, and says so at ten', async () => {
    const results = Array.from({ length: 30 }, (_, index) => ({ title: `T${index}`, url: `https://a.org/${index}` }))
    serve('search.example.org', { results: [results[0], ...results] })
    expect((await search(searxng, 'moss')).results).toHaveLength(5)
    const most = await search(searxng, 'moss', 50)
    expect(most.results.map(({ url }: { url: string }) => url)).toEqual(results.slice(0, 10).map(({ url }) => url))
    expect(most.text).toContain('(A search returns at most 10 hits')
    expect(own.requests).toHaveLength(2)
  })

  it('returns only hits on the web, without long or hidden text', async () => {
    const results = [null, 5, { url: 'javascript:x' }, { url: 'file:///x' }, { title: 'no url' }, { url: 'https://[' }]
    serve('search.example.org', {
      results: [...results, { url: 'https://a.org/', title: 'a\u{e0041}\n b', content: 'x '.repeat(9000) }],
    })
    const { results: found } = await search(searxng, 'moss')
    expect(found).toHaveLength(1)
    expect(found[0].title).toBe('a b')
    expect(found[0].snippet).toHaveLength(500)
  })

  it('names the setting if nothing is configured', async () => {
    const hint = expect.stringContaining('web.search')
    await expect(search(undefined, 'moss')).rejects.toMatchObject({
      message: 'Web search is not configured.',
      details: { hint },
    })
    await expect(search({ engine: 'searxng', url: '' }, 'moss')).rejects.toMatchObject({ details: { hint } })
    await expect(search({ engine: 'brave', url: '' }, 'moss')).rejects.toMatchObject({ details: { hint } })
    expect(own.requests).toEqual([])
  })

  it('reports why an engine did not answer', async () => {
    serve('search.example.org', 'Forbidden', 403)
    await expect(search(searxng, 'x')).rejects.toMatchObject({ code: 'network', details: { hint: /search\.formats/ } })
    serve('api.search.brave.com', '{"type":"ErrorResponse"}', 401)
    await expect(search({ engine: 'brave', url: '', key: 'k' }, 'x')).rejects.toMatchObject({
      details: { hint: /key/ },
    })
    serve('search.example.org', '<html>', 200)
    await expect(search(searxng, 'x')).rejects.toMatchObject({ message: 'search.example.org did not return JSON.' })
    serve('search.example.org', { hits: [] })
    await expect(search(custom, 'x')).rejects.toMatchObject({
      message: 'search.example.org sent no list of results.',
    })
  })
})
