import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LoopbackWeb, loopbackWeb, publicAddress } from './loopback-web.js'

let own: LoopbackWeb
beforeEach(async () => {
  own = await loopbackWeb(['example.org', 'www.example.org', 'other.org'])
})
afterEach(() => own.close())

const { signal } = new AbortController()
const get = (url: string, more = {}) => own.web.get(url, { signal, ...more })

describe('a request', () => {
  it('goes to the named host at the checked address, with our user agent', async () => {
    own.hosts['example.org'] = (_, response) => response.setHeader('X-Some', 'thing').end('hello')
    const response = await get('http://example.org:8080/a?b=c d#e')
    expect(response).toMatchObject({ url: 'http://example.org:8080/a?b=c%20d#e', status: 200, text: 'hello' })
    expect(response.headers['x-some']).toBe('thing')
    expect(own.connections).toEqual([`${publicAddress}:8080`])
    expect(own.requests).toMatchObject([
      { host: 'example.org:8080', method: 'GET', path: '/a?b=c%20d', headers: { 'user-agent': 'Notewright-test' } },
    ])
    expect(own.requests[0].headers).not.toHaveProperty('cookie')
  })

  it('uses TLS only with the host it names', async () => {
    own.hosts['example.org'] = (_, response) => response.end('secret')
    expect(await get('https://example.org/')).toMatchObject({ text: 'secret' })
    const strangers = own.open({ resolve: async () => [publicAddress] })
    await expect(strangers.get('https://stranger.org/', { signal })).rejects.toMatchObject({
      code: 'network',
      message: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID'),
    })
    await expect(
      own.open({ certificateAuthorities: undefined }).get('https://example.org/', { signal }),
    ).rejects.toMatchObject({ code: 'network', message: expect.stringContaining('SELF_SIGNED') })
  })

  it('tries the next address if one does not answer', async () => {
    own.hosts['example.org'] = (_, response) => response.end('second')
    const [first, second] = ['2606:4700:4700::1111', publicAddress]
    const web = own.open({
      resolve: async () => [first, second],
      // Nothing listens at the first.
      connect: (address) => ({ address: address === first ? '::1' : '127.0.0.1', port: own.plainPort }),
    })
    expect(await web.get('http://example.org/', { signal })).toMatchObject({ text: 'second' })
  })

  it('is sent with its body', async () => {
    own.hosts['example.org'] = (request, response) => response.end(request.body)
    expect(await get('http://example.org/', { method: 'POST', body: 'grüße' })).toMatchObject({ text: 'grüße' })
  })

  it('ignores a proxy in the environment', async () => {
    const before = { ...process.env }
    Object.assign(process.env, { http_proxy: `http://127.0.0.1:${own.canary.port}`, NODE_USE_ENV_PROXY: '1' })
    try {
      own.hosts['example.org'] = (_, response) => response.end('direct')
      expect(await get('http://example.org/')).toMatchObject({ text: 'direct' })
      expect(own.canary.connections).toBe(0)
    } finally {
      process.env = before
    }
  })

  it('fails with a specific reason', async () => {
    await expect(get('http://nowhere.org/')).rejects.toMatchObject({
      code: 'network',
      message: 'nowhere.org could not be found.',
    })
    own.hosts['example.org'] = (request) => request.socket.destroy()
    await expect(get('http://example.org/')).rejects.toMatchObject({ code: 'network', message: /example\.org/ })
    own.hosts['example.org'] = (request) =>
      request.socket.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')
    await expect(get('http://example.org/')).rejects.toMatchObject({ code: 'network' })
    own.hosts['example.org'] = (request) => request.socket.end('not http at all\r\n\r\n')
    await expect(get('http://example.org/')).rejects.toMatchObject({ code: 'network' })
  })

  it('does not carry a header with a line end', async () => {
    await expect(get('http://example.org/', { headers: { 'x-key': 'a\r\nb: c' } })).rejects.toMatchObject({
      code: 'invalid-input',
    })
    expect(own.connections).toEqual([])
  })
})

describe('a name that resolves differently the second time', () => {
  it('is connected at the checked address', async () => {
    const answers = [[publicAddress], ['127.0.0.1']]
    let asked = 0
    const web = own.open({
      limits: { ports: [80, own.canary.port] },
      resolve: async () => answers[asked++] ?? ['127.0.0.1'],
    })
    own.hosts['rebind.test'] = (_, response) => response.end('public')
    expect(await web.get('http://rebind.test/', { signal })).toMatchObject({ text: 'public' })
    expect(asked).toBe(1)
    expect(own.connections).toEqual([`${publicAddress}:80`])
    await expect(web.get(`http://rebind.test:${own.canary.port}/`, { signal })).rejects.toMatchObject({
      code: 'denied',
    })
    expect(own.canary.connections).toBe(0)
  })

  it('is looked up and checked again at every hop', async () => {
    let asked = 0
    const web = own.open({ resolve: async () => (asked++ === 0 ? [publicAddress] : ['127.0.0.1']) })
    own.hosts['rebind.test'] = (_, response) => response.writeHead(302, { location: '/again' }).end()
    await expect(web.get('http://rebind.test/', { signal })).rejects.toMatchObject({ code: 'denied' })
    expect(own.requests).toHaveLength(1)
  })
})

describe('a redirect', () => {
  it('is followed up to five times', async () => {
    own.hosts['example.org'] = (request, response) => {
      const hop = Number(`${request.url}`.slice(1))
      if (hop === 5) response.end('there')
      else response.writeHead(302, { location: `/${hop + 1}` }).end()
    }
    expect(await get('http://example.org/0')).toMatchObject({ url: 'http://example.org/5', text: 'there' })
  })

  it('sends no credentials to another origin', async () => {
    own.hosts['example.org'] = (_, response) => {
      const location = Buffer.from('http://other.org/ü').toString('latin1')
      response.writeHead(302, { location, 'set-cookie': 'a=b' }).end()
    }
    own.hosts['other.org'] = (_, response) => response.end('other')
    const headers = { authorization: 'Bearer key', cookie: 'c=d', 'x-token': 't', accept: 'text/plain' }
    const response = await get('http://example.org/', { headers })
    expect(response).toMatchObject({ url: 'http://other.org/%C3%BC', text: 'other' })
    expect(own.requests[0].headers).toMatchObject({ authorization: 'Bearer key' })
    expect(own.requests[1].headers).toMatchObject({ accept: 'text/plain', host: 'other.org' })
    for (const name of ['authorization', 'cookie', 'x-token']) expect(own.requests[1].headers).not.toHaveProperty(name)
  })

  it('to another site is reported and not followed without approval', async () => {
    own.hosts['other.org'] = (_, response) => response.end('other')
    own.hosts['example.org'] = (_, response) => response.writeHead(302, { location: 'http://other.org/x' }).end()
    await expect(get('http://example.org/', { sameHost: true })).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringContaining('http://other.org/x'),
    })
    own.hosts['www.example.org'] = (_, response) => response.end('same')
    own.hosts['example.org'] = (_, response) => response.writeHead(301, { location: 'http://www.example.org/' }).end()
    expect(await get('http://example.org/', { sameHost: true })).toMatchObject({ text: 'same' })
  })

  it('turns a POST into a GET, and never sends a body elsewhere', async () => {
    own.hosts['other.org'] = (_, response) => response.end('other')
    own.hosts['example.org'] = (_, response) => response.writeHead(303, { location: 'http://other.org/' }).end()
    await get('http://example.org/', { method: 'POST', body: 'private' })
    expect(own.requests[1]).toMatchObject({ method: 'GET', body: '' })
    own.hosts['example.org'] = (_, response) => response.writeHead(307, { location: 'http://other.org/' }).end()
    await expect(get('http://example.org/', { method: 'POST', body: 'private' })).rejects.toMatchObject({
      code: 'denied',
    })
    expect(own.requests).toHaveLength(3)
  })

  for (const location of [
    'http://[::1]/',
    '//169.254.169.254/',
    'http://user:pw@other.org/',
    'https://other.org:22/',
    'gopher://x/',
    'http://[/',
  ]) {
    it(`to ${location} is not followed`, async () => {
      own.hosts['example.org'] = (_, response) => response.writeHead(301, { location }).end()
      await expect(get('http://example.org/')).rejects.toMatchObject({ name: 'Failure' })
      expect(own.connections).toHaveLength(1)
    })
  }
})

describe('an address from the settings', () => {
  it('may be on this machine, at any port', async () => {
    const here = `http://127.0.0.1:${own.canary.port}/`
    expect(await own.web.get(here, { signal, configured: true })).toMatchObject({ text: 'canary' })
    await expect(own.web.get(here, { signal })).rejects.toMatchObject({ name: 'Failure' })
  })

  it('may redirect to itself, not to another', async () => {
    own.hosts['example.org'] = (request, response) => {
      const location = { '/': '/here', '/away': `http://127.0.0.1:${own.canary.port}/` }[`${request.url}`]
      if (location === undefined) response.end('here')
      else response.writeHead(302, { location }).end()
    }
    expect(await get('http://example.org/', { configured: true })).toMatchObject({ text: 'here' })
    await expect(get('http://example.org/away', { configured: true })).rejects.toMatchObject({ code: 'denied' })
    expect(own.canary.connections).toBe(0)
  })

  it('must still be HTTP without a password', async () => {
    await expect(get('file:///etc/passwd', { configured: true })).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(get('http://u:p@127.0.0.1/', { configured: true })).rejects.toMatchObject({ code: 'invalid-input' })
  })
})

describe('an answer', () => {
  const encodings = {
    gzip: gzipSync,
    br: brotliCompressSync,
    deflate: deflateSync,
    'deflate without its header': deflateRawSync,
  }
  for (const [name, compress] of Object.entries(encodings)) {
    it(`is read through ${name}`, async () => {
      own.hosts['example.org'] = (_, response) => {
        response.setHeader('content-encoding', name.split(' ')[0]).end(compress(Buffer.from('hello '.repeat(1000))))
      }
      expect((await get('http://example.org/')).text).toBe('hello '.repeat(1000))
    })

    it(`is truncated if ${name} expands it`, async () => {
      const bomb = compress(Buffer.alloc(20_000_000))
      own.hosts['example.org'] = (_, response) => response.setHeader('content-encoding', name.split(' ')[0]).end(bomb)
      await expect(get('http://example.org/')).rejects.toMatchObject({
        code: 'too-large',
        message: 'The response from example.org is larger than 5 MB.',
      })
    })
  }

  it('is truncated if it is too long, with or without a Content-Length', async () => {
    own.hosts['example.org'] = (_, response) => response.end(Buffer.alloc(2000))
    await expect(get('http://example.org/', { maxBytes: 1999 })).rejects.toMatchObject({ code: 'too-large' })
    expect((await get('http://example.org/', { maxBytes: 2000 })).text).toHaveLength(2000)
    own.hosts['example.org'] = (_, response) => {
      const more = () => response.write(Buffer.alloc(10_000), () => response.destroyed || setImmediate(more))
      more()
    }
    await expect(get('http://example.org/', { maxBytes: 100_000 })).rejects.toMatchObject({ code: 'too-large' })
    await expect.poll(() => own.sockets.size).toBe(0)
  })

  it('in an encoding that was not requested is refused, as is broken compression', async () => {
    own.hosts['example.org'] = (_, response) => response.setHeader('content-encoding', 'zstd').end('x')
    await expect(get('http://example.org/')).rejects.toMatchObject({ code: 'network', message: /zstd/ })
    own.hosts['example.org'] = (_, response) => response.setHeader('content-encoding', 'gzip').end('not gzip')
    await expect(get('http://example.org/')).rejects.toMatchObject({ code: 'network' })
    own.hosts['example.org'] = (_, response) =>
      response.setHeader('content-encoding', 'deflate').end(deflateSync('hello').subarray(0, 5))
    await expect(get('http://example.org/')).rejects.toMatchObject({ code: 'network' })
  })

  it('that takes too long times out, and the connection is closed', async () => {
    const web = own.open({ limits: { timeMs: 100 } })
    own.hosts['example.org'] = (_, response) => response.write('a')
    await expect(web.get('http://example.org/', { signal })).rejects.toMatchObject({
      code: 'timeout',
      message: 'The page did not load within 0.1 seconds.',
    })
    await expect.poll(() => own.sockets.size).toBe(0)
    const neverFound = own.open({ limits: { timeMs: 100 }, resolve: () => new Promise(() => {}) })
    await expect(neverFound.get('http://example.org/', { signal })).rejects.toMatchObject({ code: 'timeout' })
  })

  it('is abandoned when the user stops', async () => {
    const stop = new AbortController()
    own.hosts['example.org'] = (_, response) => {
      response.write('a')
      setImmediate(() => stop.abort(new Error('stopped')))
    }
    await expect(own.web.get('http://example.org/', { signal: stop.signal })).rejects.toThrow('stopped')
    await expect.poll(() => own.sockets.size).toBe(0)
    await expect(own.web.get('http://example.org/', { signal: stop.signal })).rejects.toThrow('stopped')
    expect(own.requests).toHaveLength(1)
  })

  const texts: [what: string, type: string, bytes: Buffer][] = [
    ['its content type', 'text/plain; charset=ISO-8859-1', Buffer.from('Käse', 'latin1')],
    ['the page', 'text/html', Buffer.from('<meta charset="windows-1252"><p>Käse', 'latin1')],
    [
      'the older way of a page',
      'text/html',
      Buffer.from('<meta http-equiv=x content="text/html; charset=latin1">Käse', 'latin1'),
    ],
    ['a byte order mark', 'text/html; charset=latin1', Buffer.from('\ufeffKäse', 'utf16le')],
    ['nothing, as UTF-8', 'text/html', Buffer.from('Käse')],
    ['something unheard of, as UTF-8', 'text/html; charset=klingon', Buffer.from('Käse')],
  ]
  for (const [what, type, bytes] of texts) {
    it(`is decoded as ${what} says`, async () => {
      own.hosts['example.org'] = (_, response) => response.setHeader('content-type', type).end(bytes)
      expect((await get('http://example.org/')).text).toContain('Käse')
    })
  }
})
