import { describe, expect, it } from 'vitest'
import { aliases, builtInTools, defaultToolset, inputSchema, outputSchema, registry } from './index.js'
import { parseInput } from './input/index.js'

const tools = registry(builtInTools)
const names = defaultToolset(tools)
const offered = builtInTools.filter(({ name }) => names.has(name))

describe('the default toolset', () => {
  it('costs a model at most 15 KB of names, descriptions and schemas', () => {
    const words = offered.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: inputSchema(tool),
    }))
    expect(Buffer.byteLength(JSON.stringify(words))).toBeLessThanOrEqual(15 * 1024)
  })

  it('leaves out what reaches the network, and nothing else', () => {
    const out = builtInTools.filter(({ name }) => !names.has(name))
    expect(out).toEqual(builtInTools.filter(({ effects }) => effects.includes('reaches-network')))
  })
})

describe('every tool', () => {
  it.each(builtInTools.map((tool) => [tool.name, tool] as const))(
    '%s is described in at most three sentences',
    (_, tool) => {
      const sentences = tool.description.split(/(?<=[.!?])\s+(?=[A-Z])/)
      expect(sentences.length).toBeLessThanOrEqual(3)
      expect(tool.description).toMatch(/^[A-Z][\s\S]*\.$/)
      expect(tool.activity).toMatch(/^[A-Z]\w+ing\b/)
      expect(tool.title).toMatch(/^[A-Z]/)
    },
  )

  it.each(builtInTools.map((tool) => [tool.name, tool] as const))(
    '%s has an example that it takes, and answers an object',
    (_, tool) => {
      expect(parseInput(tool, tool.example)).toMatchObject(tool.example as object)
      expect(outputSchema(tool)).toMatchObject({ type: 'object', properties: expect.anything() })
    },
  )

  it('keeps its name for itself: no alias is a tool, and every alias leads to one', () => {
    for (const [alias, { tool }] of Object.entries(aliases)) {
      expect(tools.find(alias)).toBeUndefined()
      expect(tools.find(tool)).toBeDefined()
    }
  })
})
