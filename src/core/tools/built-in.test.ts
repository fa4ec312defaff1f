import { describe, expect, it } from 'vitest'
import { offeredTool } from '../agent/offered-tools.js'
import { aliases, builtInTools, defaultToolset, outputSchema, registry } from './index.js'
import { findTool } from './registry.js'
import { parseInput } from './tool-input.js'

const tools = registry(builtInTools)
const names = defaultToolset(tools)
const offered = builtInTools.filter(({ name }) => names.has(name))

describe('the default toolset', () => {
  it('costs a model at most 16 KB of names, descriptions and schemas', () => {
    const words = offered.filter(({ onRequest }) => onRequest === undefined).map((tool) => offeredTool(tool, 'full'))
    expect(Buffer.byteLength(JSON.stringify(words))).toBeLessThanOrEqual(16 * 1024)
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

describe('every name of another system', () => {
  /** Arguments as that system documents them. */
  const documented: Record<string, unknown> = {
    localSearch: { query: 'q', salientTerms: ['a'], timeRange: { startTime: 1, endTime: 2 } },
    webSearch: { query: 'q', chatHistory: [] },
    getFileTree: {},
    getCurrentTime: { timezoneOffset: '+2' },
    getTimeRangeMs: { timeExpression: 'last week' },
    convertTimeBetweenTimezones: { time: '10:00', fromOffset: '+0', toOffset: '+2' },
    getTagList: {},
    readNote: { notePath: 'A.md', chunkIndex: 0 },
    writeToFile: { path: 'A.md', content: 'words', confirmation: true },
    writeFile: { path: 'A.md', content: 'words' },
    replaceInFile: { path: 'A.md', diff: '------- SEARCH\na\n=======\nb\n+++++++ REPLACE' },
    editFile: { path: 'A.md', oldText: 'a', newText: 'b' },
    list_changes: { limit: 5 },
    undo_last_change: {},
    updateMemory: { statement: 'I like tea.' },
    indexTool: {},
    indexVault: {},
    pomodoroTool: { interval: '25min' },
    youtubeTranscription: { url: 'https://www.youtube.com/watch?v=abcdefghijk' },
  }

  it.each(Object.keys(aliases))('%s takes its documented arguments', (name) => {
    expect(documented).toHaveProperty(name)
    const { registered, input } = findTool(tools, { name, input: documented[name] })
    expect(registered.tool.name).toBe(aliases[name].tool)
    expect(() => parseInput(registered.tool, input)).not.toThrow()
  })
})
