import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Failure } from '../errors.js'
import {
  defaultToolset,
  findTool,
  isOfferable,
  mayBeOffered,
  offeredName,
  type RegisteredTool,
  registry,
} from './registry.js'
import { defineTool, type ToolInfo } from './tool.js'
import { guidanceFor } from './toolset.js'

const tool = (name: string, more: Partial<ToolInfo> = {}) =>
  defineTool({
    name,
    title: name,
    description: `${name}.`,
    activity: name,
    category: 'file',
    effects: ['reads'],
    input: z.object({}),
    output: z.object({}),
    run: async () => ({}),
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
    const all = registry([tool('notes_read')])
    all.registerServer('notes', [tool('list')])
    all.registerServer('notes_extra', [tool('list')])
    all.unregister('mcp:notes')
    expect(names(all.all().map((entry) => entry.tool))).toEqual(['notes_read', 'notes_extra__list'])
    all.registerServer('notes', [tool('list')])
    all.clear()
    expect(all.all()).toEqual([])
  })

  it('says which tool of which server it is, and offers it when someone enables it', () => {
    const all = registry()
    all.registerServer('files', [tool('read', { alwaysOn: true })])
    const entry = all.find('files__read')
    expect(entry).toMatchObject({ source: 'mcp:files', foreign: { server: 'files', tool: 'read' } })
    expect([...defaultToolset(all)]).toEqual([])
    expect(all.enabled(new Set(), { vault: true })).toEqual([])
  })

  it('puts a server’s tools in place of those it had, all or none', () => {
    const all = registry([tool('read_note')])
    all.registerServer('files', [tool('read'), tool('list')])
    for (const wrong of [[tool('a'), tool('a')], [tool('a'), tool('*')], [tool('a'), tool('a\u202eb')], [tool(' a')]]) {
      expect(() => all.registerServer('files', wrong)).toThrow(Failure)
    }
    for (const server of ['', 'a/b', '../x', 'a b', 'x'.repeat(41)]) {
      expect(() => all.registerServer(server, [tool('a')])).toThrow('Not a server name')
    }
    expect(names(all.all().map((entry) => entry.tool))).toEqual(['read_note', 'files__read', 'files__list'])
    all.registerServer('files', [tool('list'), tool('stat')])
    expect(names(all.all().map((entry) => entry.tool))).toEqual(['read_note', 'files__list', 'files__stat'])
  })

  it('keeps a server’s tool from looking like one of ours', () => {
    const all = registry([tool('read_note')])
    all.registerServer('read', [tool('note')])
    expect(all.all()[1].tool.name).toMatch(/^read_note_[0-9a-f]{12}$/)
  })

  it('reports added and removed tools to its listeners, once for each change', () => {
    const all = registry()
    const heard: string[] = []
    const list = (entries: readonly RegisteredTool[]) => names(entries.map((entry) => entry.tool)).join(' ')
    const stop = all.onChange(({ came, went }) => heard.push(`+${list(came)} -${list(went)}`))
    all.registerAll([tool('a'), tool('b')])
    all.registerServer('s', [tool('x'), tool('y')])
    all.registerServer('s', [tool('y')])
    expect(() => all.registerAll([tool('c'), tool('a')])).toThrow('already taken')
    all.unregister('mcp:other')
    all.clear()
    stop()
    all.register(tool('d'))
    expect(heard).toEqual(['+a b -', '+s__x s__y -', '+s__y -s__x s__y', '+ -a b s__y'])
  })

  it('refuses a name that is taken or could be mistaken for one', () => {
    const all = registry([tool('read_note')])
    for (const name of ['read_note', 'Read-Note', 'read_n0te', 'readnote']) {
      expect(() => all.register(tool(name), 'custom')).toThrow(/already taken|mistaken/)
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
  it('is the tool’s own unless the user replaces or extends it', () => {
    const wordy = tool('wordy', { guidance: 'Use me well.' })
    expect(guidanceFor(wordy)).toBe('Use me well.')
    expect(guidanceFor(wordy, { guidance: 'Rarely.' })).toBe('Rarely.')
    expect(guidanceFor(wordy, { addGuidance: 'In German.' })).toBe('Use me well.\nIn German.')
    expect(guidanceFor(wordy, { guidance: '' })).toBeUndefined()
  })
})

describe('the name a server’s tool is offered by', () => {
  it('is the server and the tool where that is a name', () => {
    expect(offeredName({ server: 'a', tool: 'b_c' })).toBe('a__b_c')
    expect(offeredName({ server: 'a_b', tool: 'c' })).toBe('a_b__c')
  })

  it.each([
    ['a__b', 'c', /^a_b_c_[0-9a-f]{12}$/],
    ['a_', '_b', /^a_b_[0-9a-f]{12}$/],
    ['a', 'files/read', /^a_files_read_[0-9a-f]{12}$/],
    ['1password', 'get', /^mcp_1password_get_[0-9a-f]{12}$/],
    ['a', '読む', /^a_[0-9a-f]{12}$/],
    ['a', 'x'.repeat(100), /^a_x{49}_[0-9a-f]{12}$/],
  ])('has a hash for %s and %s', (server, tool, expected) => {
    expect(offeredName({ server, tool })).toMatch(expected)
  })

  const word = fc.string({ unit: fc.constantFrom(...'ab_-./ é0'), minLength: 1, maxLength: 8 })
  const server = fc.stringMatching(/^[ab0][ab0_.-]{0,7}$/)
  const foreign = fc.record({ server, tool: fc.oneof(word, fc.string({ minLength: 1, maxLength: 128 })) })

  it('is one every provider takes, the same each time, and known for its server’s', () => {
    fc.assert(
      fc.property(foreign, (one) => {
        const name = offeredName(one)
        expect(isOfferable(name)).toBe(true)
        expect(offeredName({ ...one })).toBe(name)
        expect(isOfferable(offeredName(one, () => true))).toBe(true)
        expect(mayBeOffered(name, one.server)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('is never that of another tool', () => {
    fc.assert(
      fc.property(foreign, foreign, fc.boolean(), fc.boolean(), (one, other, isTaken, isOtherTaken) => {
        fc.pre(one.server !== other.server || one.tool !== other.tool)
        expect(offeredName(one, () => isTaken)).not.toBe(offeredName(other, () => isOtherTaken))
      }),
      { numRuns: 2000 },
    )
  })
})
