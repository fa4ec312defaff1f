import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { overhear } from '../overhear.js'
import { runProgram } from '../run-program.js'
import { backends, serveWith } from '../serve.js'

/** The compliance runner of the Open Responses project at commit b7b9abac, bundled for bun. It is nobody's to copy. */
const suite = resolve(process.env.NOTEWRIGHT_SUITES ?? '../shared/suites', 'openresponses-b7b9abac.js')
const bun = fileURLToPath(new URL(`../node_modules/@oven/bun-linux-x64/bin/bun`, import.meta.url))

interface Result {
  id: string
  status: string
  errors?: string[]
}

describe.skipIf(!existsSync(suite))('the Open Responses suite (NOTEWRIGHT_SUITES names its folder)', () => {
  it.each(backends)('all 13 cases pass with %s behind, seven of them over a WebSocket', async (kind) => {
    const served = await serveWith(kind)
    const overheard = await overhear(served.url)
    try {
      const words = ['--base-url', overheard.url, '--api-key', served.key, '--model', served.model, '--json']
      const { stdout, stderr } = await runProgram(bun, [suite, ...words])
      const { results } = JSON.parse(stdout || `{"results":[{"id":${JSON.stringify(stderr)}}]}`) as {
        results: Result[]
      }
      expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
      expect(results).toHaveLength(13)
      expect(results.filter(({ id }) => id.startsWith('websocket-'))).toHaveLength(7)
      expect(overheard.broken).toEqual([])
      expect(overheard.streams.http).toBeGreaterThan(0)
      expect(overheard.streams.socket).toBeGreaterThan(6)
    } finally {
      await overheard.close()
      await served.stop()
    }
  })
})
