import { expect } from 'vitest'
import { type CaseChecks, type Check, quoted, shown } from '../security/security-case.js'
import { loadPage } from './load-page.js'
import { type LoopbackWeb, loopbackWeb, publicAddress } from './loopback-web.js'

/** Addresses that the names of the cases resolve to. */
const addresses: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'metadata.google.internal': ['169.254.169.254'],
  h: [publicAddress],
  'public.test': [publicAddress],
}

const resolve = async (host: string) => addresses[host] ?? []

/** The cases of loading what must not be loaded. */
export const webCases: CaseChecks = {
  S01({ action }) {
    const payloads = action.match(/https?:\/\/[^\s,]+/g)!
    return [
      {
        name: 'has its fourteen addresses',
        run: () => expect(payloads).toHaveLength(14),
      },
      ...payloads.flatMap((url) => [
        refusal(`refuses ${url}`, url, {}),
        // The port alone would have been enough; the address must be, too.
        refusal(`refuses ${url} where the canary really listens`, url, { onCanaryPort: true }),
      ]),
    ]
  },

  S02: () => [
    redirects('does not follow a redirect to loopback', (own) => `http://127.0.0.1:${own.canary.port}/`),
    redirects('does not follow a redirect to a name that resolves to loopback', () => 'http://rebound.test:8080/'),
    redirects('does not follow a redirect to another scheme', () => 'file:///etc/passwd'),
    onLoopback('gives up after five hops of a chain of thirty', async (own) => {
      own.hosts['public.test'] = (request, response) => {
        const hop = Number(new URL(`${request.url}`, 'http://public.test').searchParams.get('hop') ?? 0)
        response.writeHead(302, { location: hop < 30 ? `/?hop=${hop + 1}` : `http://127.0.0.1:${own.canary.port}/` })
        response.end()
      }
      await expect(loadPage('http://public.test/', own.open({ resolve }))).rejects.toMatchObject({ code: 'network' })
      expect(own.requests).toHaveLength(6)
    }),
    onLoopback('checks the last of several hops like the first', async (own) => {
      own.hosts['public.test'] = (request, response) => {
        const location = request.url === '/' ? 'http://public.test/next' : `http://127.0.0.1:${own.canary.port}/`
        response.writeHead(302, { location }).end()
      }
      await expect(loadPage('http://public.test/', own.open({ resolve }))).rejects.toMatchObject({ name: 'Failure' })
      expect(own.requests).toHaveLength(2)
    }),
    onLoopback('shows a page with a meta refresh and goes nowhere', async (own) => {
      own.hosts['public.test'] = (_, response) => {
        response.setHeader('content-type', 'text/html')
        response.end(`<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${own.canary.port}/"><p>Wait.</p>`)
      }
      const page = await loadPage('http://public.test/', own.open({ resolve }))
      expect(page.output.text).toBe('Wait.')
      expect(own.requests).toHaveLength(1)
    }),
  ],

  S03({ action }) {
    const payloads = quoted(action)
    return [
      { name: 'has its seven addresses', run: () => expect(payloads).toHaveLength(7) },
      ...payloads.map((url) => refusal(`refuses ${shown(url)}`, url, {})),
    ]
  },
}

/** A refusal is a clear answer, and leaves no connection anywhere. */
function refusal(name: string, url: string, { onCanaryPort = false }): Check {
  return onLoopback(name, async (own) => {
    const limits = onCanaryPort ? { ports: [80, own.canary.port] } : {}
    const web = own.open({ resolve, limits })
    const address = onCanaryPort ? url.replace(':9/', `:${own.canary.port}/`) : url
    const refused = { name: 'Failure', code: expect.stringMatching(/^(?:denied|invalid-input)$/) }
    await expect(loadPage(address, web)).rejects.toMatchObject(refused)
    await expect(web.get(address, { signal: new AbortController().signal })).rejects.toMatchObject(refused)
    expect(own.connections).toEqual([])
  })
}

function redirects(name: string, location: (own: LoopbackWeb) => string): Check {
  return onLoopback(name, async (own) => {
    own.hosts['public.test'] = (_, response) => response.writeHead(302, { location: location(own) }).end()
    const web = own.open({ resolve: async (host) => (host === 'rebound.test' ? ['127.0.0.1'] : resolve(host)) })
    await expect(loadPage('http://public.test/', web)).rejects.toMatchObject({ name: 'Failure' })
    expect(own.connections).toEqual([`${publicAddress}:80`])
  })
}

function onLoopback(name: string, check: (own: LoopbackWeb) => Promise<void>): Check {
  return {
    name,
    async run() {
      const own = await loopbackWeb()
      try {
        await check(own)
        expect(own.canary.connections).toBe(0)
      } finally {
        await own.close()
      }
    },
  }
}
