import { expect } from 'vitest'
import { type LoopbackWeb, loopbackWeb, publicAddress } from '../../web/loopback-web.js'
import { type CaseChecks, type Check, quoted, shown } from '../security-case.js'
import { type ToolFloor, withTools } from './tool-floor.js'

const addresses: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'metadata.google.internal': ['169.254.169.254'],
  'rebound.test': ['127.0.0.1'],
  h: [publicAddress],
  'public.test': [publicAddress],
}

/** The cases as `web_fetch` is called, approved by the user. `test/web` has what is below the tool. */
export const networkCases: CaseChecks = {
  S01: ({ action }) => [
    ...action.match(/https?:\/\/[^\s,]+/g)!.map((url) => refusal(url)),
    throughTool('what is public is loaded, so the refusals are not for want of a way', async (floor, own) => {
      own.hosts['public.test'] = (_, response) => response.end('Hello.')
      expect((await floor.done('web_fetch', { url: 'http://public.test/' })).text).toContain('Hello.')
    }),
  ],

  S02: () => [
    ...['http://127.0.0.1:9/', 'http://rebound.test:8080/', 'file:///etc/passwd'].map((location) =>
      throughTool(`a redirect to ${location} is not followed`, async (floor, own) => {
        own.hosts['public.test'] = (_, response) => response.writeHead(302, { location }).end()
        const result = await floor.call('web_fetch', { url: 'http://public.test/' })
        expect(result).toMatchObject({ ok: false, code: expect.stringMatching(/^(?:denied|invalid-input)$/) })
        expect(own.connections).toEqual([`${publicAddress}:80`])
      }),
    ),
    throughTool('a chain of thirty ends after five hops', async (floor, own) => {
      own.hosts['public.test'] = ({ url }, response) => {
        response.writeHead(302, { location: `/${Number(url!.slice(1)) + 1}` }).end()
      }
      await floor.refused('network', 'web_fetch', { url: 'http://public.test/0' })
      expect(own.requests).toHaveLength(6)
    }),
    throughTool('a page with a meta refresh is shown and goes nowhere', async (floor, own) => {
      own.hosts['public.test'] = (_, response) => {
        response.setHeader('content-type', 'text/html')
        response.end(`<meta http-equiv="refresh" content="0;url=http://127.0.0.1:${own.canary.port}/"><p>Wait.</p>`)
      }
      expect((await floor.done('web_fetch', { url: 'http://public.test/' })).output.text).toBe('Wait.')
      expect(own.requests).toHaveLength(1)
    }),
  ],

  S03: ({ action }) => quoted(action).map((url) => refusal(url)),
}

function refusal(url: string): Check {
  return throughTool(`web_fetch ${shown(url)}: refused before any connection, though approved`, async (floor, own) => {
    const result = await floor.call('web_fetch', { url })
    expect(result).toMatchObject({ ok: false, code: expect.stringMatching(/^(?:denied|invalid-input)$/) })
    expect(own.connections).toEqual([])
  })
}

function throughTool(name: string, use: (floor: ToolFloor, own: LoopbackWeb) => Promise<void>): Check {
  return {
    name,
    run: async () => {
      const own = await loopbackWeb()
      const web = own.open({ resolve: async (host) => addresses[host] ?? [] })
      try {
        await withTools({}, { answer: 'yes', web }, (floor) => use(floor, own))
        expect(own.canary.connections).toBe(0)
      } finally {
        await own.close()
      }
    },
  }
}
