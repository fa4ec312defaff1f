import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { registry } from './registry.js'
import { defineTool, type ToolInfo } from './tool.js'
import { checkToolNames, isDefaultList, toolset, withToolSwitched } from './toolset.js'

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

const house = () =>
  registry([
    tool('clock', { alwaysOn: true }),
    tool('search_notes'),
    tool('read_note'),
    tool('fetch', { offByDefault: true }),
  ])

describe('the toolset', () => {
  it('is what is on by default, or what is listed and always there, in the order of the registry', () => {
    expect([...toolset({}, house()).names]).toEqual(['clock', 'search_notes', 'read_note'])
    expect([...toolset({ enabled: ['fetch', 'localSearch'] }, house()).names]).toEqual([
      'clock',
      'search_notes',
      'fetch',
    ])
    expect([...toolset({ enabled: [], calling: false }, house()).names]).toEqual(['clock'])
  })

  it('has a server’s tool only while it is registered, with the user’s guidance', () => {
    const all = house()
    const section = { enabled: ['files/read', 'files__list'], 'files/read': { addGuidance: 'Only src.' } }
    expect(toolset(section, all)).toMatchObject({ tools: [{ name: 'clock' }], guidance: {} })
    all.registerServer('files', [tool('list'), tool('read'), tool('write')])
    const { names, guidance } = toolset(section, all)
    expect([...names]).toEqual(['clock', 'files__list', 'files__read'])
    expect(guidance).toEqual({ files__read: { addGuidance: 'Only src.' } })
    all.unregister('mcp:files')
    expect([...toolset(section, all).names]).toEqual(['clock'])
  })
})

describe('a tool that is switched', () => {
  it('is all that the list then says, so that tools registered later are as usual', () => {
    const all = house()
    const on = withToolSwitched(undefined, 'fetch', true, all)
    const both = withToolSwitched(on, 'read_note', false, all)
    all.register(tool('of_a_library'), 'custom')
    expect([...toolset({ enabled: both }, all).names]).toEqual(['clock', 'search_notes', 'fetch', 'of_a_library'])
    const back = withToolSwitched(withToolSwitched(both, 'readNote', true, all), 'fetch', false, all)
    expect(isDefaultList(back)).toBe(true)
  })

  it('changes nothing else in a full list, and may be named as a model or a server names it', () => {
    const all = house()
    const full = ['search_notes', 'read_note', 'files/read']
    expect(withToolSwitched(full, 'fetch', true, all)).toEqual([...full, 'fetch'])
    expect(withToolSwitched(full, 'localSearch', false, all)).toEqual(['read_note', 'files/read'])
    all.registerServer('files', [tool('read')])
    expect(withToolSwitched(full, 'files__read', false, all)).toEqual(['search_notes', 'read_note'])
  })
})

describe('names in the settings', () => {
  it('may be those of tools that are there, and of servers that may still come', () => {
    const section = { enabled: ['read_note', 'files/read'], calling: true, 'mail/send': { guidance: '' } }
    expect(() => checkToolNames(section, house())).not.toThrow()
    expect(() => checkToolNames(section, house(), ['files', 'mail'])).not.toThrow()
    expect(() => checkToolNames({ enabled: ['files__read'] }, house(), ['files'])).not.toThrow()
    expect(() => checkToolNames({ enabled: ['files__read'] }, house())).not.toThrow()
    expect(() => checkToolNames({ enabled: ['default', '-read_note'] }, house())).not.toThrow()
  })

  it.each([
    [{ enabled: ['raed_note'] }, undefined, 'Settings: Unknown tool: raed_note.'],
    [{ raed_note: { guidance: '' } }, undefined, 'Settings: Unknown tool: raed_note.'],
    [{ enabled: ['fles__read'] }, ['files'], 'Settings: Unknown tool: fles__read.'],
    [{ enabled: ['default', '-raed_note'] }, undefined, 'Settings: Unknown tool: raed_note.'],
    [{ enabled: ['fles/read'] }, ['files'], 'Settings: Unknown tool: fles/read.'],
    [{ enabled: ['files/'] }, ['files'], 'Settings: Unknown tool: files/.'],
  ])('are refused when nobody has or will have them: %j', (section, servers, message) => {
    expect(() => checkToolNames(section, house(), servers)).toThrow(message)
  })
})
