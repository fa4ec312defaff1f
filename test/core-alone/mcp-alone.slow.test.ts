import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleCore } from '../../scripts/bundle-core.mjs'

describe('the tools of a server at an address', () => {
  it('are registered and called without Node', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'notewright-core-'))
    try {
      const bundle = join(folder, 'mcp.mjs')
      writeFileSync(bundle, (await bundleCore({ input: 'test/core-alone/mcp-entry.ts' })).code)
      const [host, program] = ['bare-host', 'use-mcp'].map((name) => join('test/core-alone', `${name}.mjs`))
      const words = ['--disallow-code-generation-from-strings', host, bundle, program, 'Buffer', 'global']
      const said = execFileSync(process.execPath, words, { encoding: 'utf8', timeout: 20_000 })
      expect(JSON.parse(said)).toEqual({
        troubles: [],
        source: 'mcp:far',
        answer: { text: '{"said":"hello"}', structuredContent: { said: 'hello' } },
        left: 0,
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
