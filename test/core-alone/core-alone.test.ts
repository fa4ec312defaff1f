import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import { bundleCore } from '../../scripts/bundle-core.mjs'

const file = 'dist/core.mjs'
const kilobytes = (code: string): number => Math.round(Buffer.byteLength(code) / 1024)

describe('the core in one file', () => {
  it('indexes, searches, links, writes, undoes and answers without Node', () => {
    const programs = ['bare-host', 'use-core'].map((name) => join('test/core-alone', `${name}.mjs`))
    const flags = ['--disallow-code-generation-from-strings']
    const said = execFileSync(process.execPath, [...flags, programs[0], file, programs[1]], { encoding: 'utf8' })
    expect(JSON.parse(said)).toMatchObject({
      hits: expect.arrayContaining(['Garden/Tomatoes.md']),
      kind: 'heap of leaves',
      links: ['Garden/Compost.md'],
      appended: true,
      written: '# Ideas\n\nA bench under the oak.\nA swing.\n',
      undone: '# Ideas\n\nA bench under the oak.\n',
      denied: 'denied',
      invalid: 'Tool read_note validation failed: path: expected string, received number',
      events: expect.arrayContaining(['run-start', 'tool-call', 'tool-result', 'text-delta', 'citations', 'run-end']),
      answer: { reason: 'answered', text: expect.stringContaining('Oxheart ripens last') },
      opened: expect.arrayContaining(['anthropic/some-model', 'gemini/some-model', 'openai/some-model']),
      calls: [{ name: 'read_note', arguments: { path: 'Ideas.md' } }],
    })
  })

  it('has no look-behind in a pattern, its own or a dependency’s, because older phones cannot parse it', () => {
    const patterns: string[] = []
    // Called for every node of the tree; a pattern is one with a source.
    JSON.stringify(parseAst(readFileSync(file, 'utf8')), (_key, node) => {
      if (typeof node?.regex?.pattern === 'string') patterns.push(node.regex.pattern)
      return node?.type === 'Literal' ? undefined : node
    })
    expect(patterns.length).toBeGreaterThan(500)
    expect(patterns.filter((pattern) => /\(\?<[=!]/.test(pattern))).toEqual([])
  })

  it('is smaller than 1,800 kB, and than 1,350 kB without the packages of providers', async () => {
    const all = kilobytes(readFileSync(file, 'utf8'))
    const lean = kilobytes((await bundleCore({ withProviders: false })).code)
    process.stdout.write(`The core in one file, minified: ${all} kB; without providers: ${lean} kB\n`)
    expect(all).toBeLessThanOrEqual(1800)
    expect(lean).toBeLessThanOrEqual(1350)
  })
})
