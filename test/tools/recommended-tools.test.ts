import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtInTools, memoryLog, registry, runTool } from '../../src/core/tools/index.js'
import { openGuard, testContext } from './call-tool.js'

const sources = join(import.meta.dirname, '../../src/core')
const names = builtInTools.map(({ name }) => name).filter((name) => name.includes('_'))
const isNaming = new RegExp(`\\b(?:${names.join('|')})\\b`)

describe('an error', () => {
  it('recommends tools only by a hint that lists them, so that it can be left out', () => {
    const unlisted: string[] = []
    for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.includes('.test.')) continue
      const lines = readFileSync(join(sources, file), 'utf8').split('\n')
      for (const [at, line] of lines.entries()) {
        if (!/\b(?:hint|modelHint): ['"`]/.test(line) || !isNaming.test(line)) continue
        if (!/\btools: \[/.test(lines.slice(at, at + 3).join('\n'))) unlisted.push(`${file}: ${line.trim()}`)
      }
    }
    expect(unlisted).toEqual([])
  })

  it('names no tool that the model was not offered', async () => {
    const context = await testContext({ 'A.md': 'a' })
    const setup = {
      registry: registry(builtInTools),
      context,
      guard: openGuard(),
      log: memoryLog(),
      apply: context.apply,
    }
    const call = { id: '1', name: 'append_note', input: { path: 'Missing.md', content: 'x' } }
    expect(await runTool(call, setup)).toMatchObject({ text: expect.stringContaining('search_notes') })
    const few = { ...setup, described: new Set(['append_note', 'read_note']) }
    expect(await runTool(call, few)).toMatchObject({ text: 'Note not found: Missing.md' })
    const unknown = await runTool({ ...call, name: 'xyzzy' }, few)
    expect(unknown).toMatchObject({ text: 'Unknown tool: xyzzy. Available tools: read_note, append_note.' })
  })
})
