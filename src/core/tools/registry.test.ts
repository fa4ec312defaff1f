import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { findTool } from './find-tool.js'
import { guidanceFor } from './guidance.js'
import { defaultToolset, registry } from './registry.js'
import { defineTool, type ToolWords } from './tool.js'

const tool = (name: string, more: Partial<ToolWords> = {}) =>
  defineTool({
    name,
    title: name,
    description: `${name}.`,
    activity: name,
    category: 'file',
    effects: ['reads'],
    input: z.object({}),
    output: z.string(),
    run: async () => '',
    render: String,
    ...more,
  })

const names = (tools: { name: string }[]) => tools.map(({ name }) => name)

describe('a registry', () => {
  it('keeps the order of registration and groups by category', () => {
    const all = registry([tool('b'), tool('a', { category: 'search' }), tool('c')])
    expect(names(all.all().map((entry) => entry.tool))).toEqual(['b', 'a', 'c'])
    expect([...all.byCategory()].map(([category, members]) => [category, names(members)])).toEqual([
      ['search', ['a']],
      ['file', ['b', 'c']],
    ])
  })

  it('forgets one source by its value, however names begin', () => {
    const all = registry([tool('mcp_notes_read')])
    all.register(tool('mcp_notes_list'), 'mcp:notes')
    all.register(tool('mcp_notes_extra_list'), 'mcp:notes_extra')
    all.unregister('mcp:notes')
    expect(names(all.all().map((entry) => entry.tool))).toEqual(['mcp_notes_read', 'mcp_notes_extra_list'])
    all.register(tool('mcp_notes_list'), 'mcp:notes')
    all.clear()
    expect(all.all()).toEqual([])
  })

  it('refuses a name that is taken or could be mistaken for one', () => {
    const all = registry([tool('read_note')])
    for (const name of ['read_note', 'Read-Note', 'read_n0te', 'readnote']) {
      expect(() => all.register(tool(name), 'mcp:x')).toThrow(/already taken|mistaken/)
    }
    for (const name of ['', 'a b', 'réad', '1x', 'x'.repeat(65)]) {
      expect(() => all.register(tool(name))).toThrow('Not a tool name')
    }
  })

  it('offers always-on tools and the chosen ones, and without a vault those that need none', () => {
    const all = registry([
      tool('clock', { alwaysOn: true }),
      tool('read', { needsVault: true }),
      tool('fetch', { offByDefault: true }),
    ])
    expect(names(all.enabled(new Set(['read']), { vault: true }))).toEqual(['clock', 'read'])
    expect(names(all.enabled(new Set(['read', 'fetch']), { vault: false }))).toEqual(['clock', 'fetch'])
    expect(names(all.configurable())).toEqual(['read', 'fetch'])
    expect([...defaultToolset(all)]).toEqual(['clock', 'read'])
    expect(all.metadata('read')).toMatchObject({ name: 'read', category: 'file', needsVault: true })
    expect(all.metadata('nothing')).toBeUndefined()
  })
})

describe('names other systems use', () => {
  const all = registry(
    ['search_notes', 'web_search', 'read_note', 'edit_note', 'write_note', 'pomodoro'].map((name) => tool(name)),
  )
  const adapted = (name: string, input: unknown) => {
    const found = findTool(all, { name, input })
    return [found.registered.tool.name, JSON.parse(JSON.stringify(found.input))]
  }

  it('lead to our tools with their arguments in our words', () => {
    const timeRange = { startTime: 1, endTime: 2 }
    expect(adapted('localSearch', { query: 'q', salientTerms: ['a'], timeRange })).toEqual([
      'search_notes',
      { query: 'q', salient_terms: ['a'], time_range: timeRange },
    ])
    expect(adapted('readNote', { notePath: 'A.md', chunkIndex: '1' })).toEqual(['read_note', { path: 'A.md', part: 2 }])
    expect(adapted('editFile', { path: 'A.md', oldText: 'a', newText: '' })).toEqual([
      'edit_note',
      { path: 'A.md', old_text: 'a', new_text: '' },
    ])
    expect(adapted('writeToFile', '{"path":"A.md","content":"x","confirmation":false}')).toEqual([
      'write_note',
      { path: 'A.md', content: 'x' },
    ])
    expect(adapted('pomodoroTool', { interval: '25min' })).toEqual(['pomodoro', { action: 'start', minutes: 25 }])
  })

  it('never carry the conversation to a search service', () => {
    const chatHistory = [{ role: 'user', content: 'my secret' }]
    expect(adapted('webSearch', { query: 'q', chatHistory })).toEqual(['web_search', { query: 'q' }])
  })

  it('leave arguments that cannot be read for validation to refuse', () => {
    expect(findTool(all, { name: 'localSearch', input: '{"query":' }).input).toBe('{"query":')
  })
})

describe('guidance', () => {
  it('is the tool’s own unless the person replaces or extends it', () => {
    const wordy = tool('wordy', { guidance: 'Use me well.' })
    expect(guidanceFor(wordy)).toBe('Use me well.')
    expect(guidanceFor(wordy, { guidance: 'Rarely.' })).toBe('Rarely.')
    expect(guidanceFor(wordy, { addGuidance: 'In German.' })).toBe('Use me well.\nIn German.')
    expect(guidanceFor(wordy, { guidance: '' })).toBeUndefined()
  })
})
