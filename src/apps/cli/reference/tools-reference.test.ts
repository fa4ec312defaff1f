import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { callTool, testContext } from '../../../../test/tools/call-tool.js'
import { builtInTools, inputSchema } from '../../../core/tools/index.js'
import { toolsReference } from './tools-reference.js'

describe('the reference of tools', () => {
  it('names every tool with every argument it takes', () => {
    const text = toolsReference()
    for (const tool of builtInTools) {
      const [, section] = text.split(`### ${tool.name}\n`)
      for (const name of Object.keys((inputSchema(tool).properties ?? {}) as object)) {
        expect(section.split('\n### ')[0]).toContain(`| \`${name}\` |`)
      }
    }
  })

  it('has an example for every tool, which works on the sample vault', async () => {
    const vault = 'examples/vault'
    const paths = (await readdir(vault, { recursive: true })).filter((path) => /\.(md|png|base)$/.test(path))
    const files = await Promise.all(paths.map((path) => readFile(join(vault, path))))
    const skill = { name: 'obsidian-markdown', description: 'x', from: 'vault' as const, read: async () => 'How.' }
    const notes = Object.fromEntries(paths.map((path, at) => [path, files[at]]))
    const context = await testContext(notes, { skills: [skill] })
    for (const tool of builtInTools.filter(({ effects }) => !effects.includes('reaches-network'))) {
      const result = await callTool(tool, tool.example, context)
      expect(result.ok, `${tool.name}: ${result.text}`).toBe(true)
      if (result.ok && result.changeSet) await context.apply(await context.memory.planUndo({ id: result.changeSet.id }))
    }
  })

  it('is in step with docs/reference/tools.md (node scripts/build-docs.mjs writes it)', async () => {
    expect(await readFile('docs/reference/tools.md', 'utf8')).toBe(toolsReference())
  })
})
