import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mediaTools } from '../../src/core/tools/built-in.js'
import { webFetch } from '../../src/core/tools/media/web-fetch.js'
import { testContext } from '../tools/call-tool.js'
import { loadPage } from './load-page.js'
import { type LoopbackWeb, loopbackWeb } from './loopback-web.js'

let own: LoopbackWeb
beforeEach(async () => {
  own = await loopbackWeb()
})
afterEach(() => own.close())

function serve(type: string | undefined, body: string | Buffer, status = 200) {
  own.hosts['example.org'] = (_, response) => {
    if (type !== undefined) response.setHeader('content-type', type)
    response.writeHead(status).end(body)
  }
}

describe('web_fetch', () => {
  it("announces the address, and returns the page's readable text", async () => {
    serve('text/html; charset=utf-8', '<title>Moss</title><h1>Moss</h1><p>Grows <a href="/slowly">slowly</a>.')
    const page = await loadPage(' https://EXAMPLE.org/a b?c=d#e ', own.web)
    expect(page.sends).toEqual([{ url: 'https://example.org/a%20b?c=d' }])
    expect(page.output).toEqual({
      url: 'https://example.org/a%20b?c=d',
      title: 'Moss',
      text: '# Moss\n\nGrows [slowly](https://example.org/slowly).',
      part: 1,
      parts: 1,
    })
    expect(page.text).toBe(
      '# Moss\nhttps://example.org/a%20b?c=d\n\n# Moss\n\nGrows [slowly](https://example.org/slowly).',
    )
  })

  for (const type of ['text/plain', 'text/markdown; charset=utf-8', 'application/json', 'application/ld+json']) {
    it(`returns ${type} unchanged, without parts for machines`, async () => {
      serve(type, '# <b>"x"\u202e</b>\r\n* y\u{e0041}\n')
      expect((await loadPage('http://example.org/', own.web)).output.text).toBe('# <b>"x"</b>\n* y')
    })
  }

  for (const type of ['application/pdf', 'image/png', 'application/octet-stream', 'text/css', 'video/mp4']) {
    it(`refuses ${type} by its name`, async () => {
      serve(type, 'x')
      await expect(loadPage('http://example.org/', own.web)).rejects.toMatchObject({
        code: 'invalid-input',
        message: `This page cannot be read: example.org sent ${type}.`,
      })
    })
  }

  it('detects the type of an answer without a content type', async () => {
    serve(undefined, '<p>A page</p>')
    expect((await loadPage('http://example.org/', own.web)).output.text).toBe('A page')
    serve(undefined, Buffer.from([1, 2, 0, 3]))
    await expect(loadPage('http://example.org/', own.web)).rejects.toMatchObject({ message: /unknown data/ })
  })

  it('returns a long page in parts without loss', async () => {
    const words = Array.from({ length: 9000 }, (_, index) => `word${index}`)
    serve('text/plain', words.join(' '))
    const first = await loadPage('http://example.org/', own.web)
    expect(first.text).toMatch(/\(Part 1 of 4\. To continue, ask for part 2\.\)$/)
    const texts = []
    for (let part = 1; part <= first.output.parts; part++)
      texts.push((await loadPage('http://example.org/', own.web, part)).output.text)
    expect(texts.join(' ').split(' ')).toEqual(words)
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(20_000)
    await expect(loadPage('http://example.org/', own.web, 5)).rejects.toMatchObject({ code: 'not-found' })
  })

  it("reports the server's error", async () => {
    serve('text/html', 'gone', 404)
    await expect(loadPage('http://example.org/', own.web)).rejects.toMatchObject({
      code: 'not-found',
      message: 'example.org answered with status 404.',
    })
    serve('text/html', 'broken', 500)
    await expect(loadPage('http://example.org/', own.web)).rejects.toMatchObject({ code: 'network' })
    serve('text/html', '<script>app()</script>')
    expect((await loadPage('http://example.org/', own.web)).text).toContain('(The page has no readable text.)')
  })

  it('fails if the host has no network', async () => {
    const context = await testContext({})
    await expect(webFetch.run!({ url: 'https://example.org/' }, context)).rejects.toMatchObject({ code: 'network' })
  })
})

it('every web tool is off by default, and declares that it uses the network', () => {
  const tools = mediaTools.filter(({ name }) => name !== 'view_file')
  for (const tool of tools) expect(tool).toMatchObject({ offByDefault: true, effects: ['reaches-network'] })
  expect(tools.length).toBeGreaterThan(2)
})
