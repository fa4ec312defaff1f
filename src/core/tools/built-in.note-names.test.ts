import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, openGuard, testContext } from '../../../test/tools/call-tool.js'
import { guard, parseRule, ruleVocabulary } from '../approval/index.js'
import { builtInTools } from './built-in.js'
import type { ProposedCall } from './guard.js'
import { registry } from './registry.js'
import { runTool } from './run/run-tool.js'
import type { Tool } from './tool.js'
import { inputSchema } from './tool-input.js'
import { memoryLog } from './tool-log.js'

const notes = {
  'House/Roof repair.md':
    '---\naliases: [Dachsanierung]\ntags: [Work]\n---\n# Start\n\nOld slates. [[Wall]]\n\n```base\nviews: []\n```\n',
  'House/Wall.md': 'See [[Roof repair]].\n',
  'A/Plan.md': 'One.\n',
  'B/Plan.md': 'Two.\n',
  'Areas/Work/Log.md': 'Log.\n\n- [ ] Log\n',
  'Hidden/Secret.md': '---\naliases: [Geheim]\n---\nNobody reads this.\n',
}
const meant = 'House/Roof repair.md'

/** Arguments that each tool needs besides the note. */
const besides: Record<string, Record<string, unknown>> = {
  append_note: { content: 'More.' },
  edit_note: { old_text: 'Old slates', new_text: 'New slates' },
  rename_in_notes: { kind: 'heading', from: 'Start', to: 'Beginning' },
  rename_note: { new_path: 'Somewhere/Else.md' },
  split_note: { heading: 'Start' },
  update_frontmatter: { updates: { status: 'done' } },
}
/** Its path is where a note shall be, or no note at all. */
const literal = ['write_note', 'view_file']

const fieldsOf = (tool: Tool): string[] => Object.keys(inputSchema(tool).properties ?? {})
const noteField = (tool: Tool) => fieldsOf(tool).find((field) => ['path', 'filePaths', 'note'].includes(field))
const takingNotes = builtInTools.filter((tool) => noteField(tool) !== undefined && !literal.includes(tool.name))

function inputFor(tool: Tool, name: string): Record<string, unknown> {
  const field = noteField(tool) as string
  return { [field]: field === 'filePaths' ? [name] : name, ...besides[tool.name] }
}

/** The notes of a call, as the guard sees them. */
async function reached(tool: Tool, name: string): Promise<unknown> {
  const context = await testContext(notes)
  const open = openGuard()
  const proposals: ProposedCall[] = []
  const watching = {
    ...open,
    decide: (proposed: ProposedCall, whole: typeof context) => {
      proposals.push(proposed)
      return open.decide(proposed, whole)
    },
  }
  const setup = { registry: registry([tool]), context, guard: watching, log: memoryLog(), apply: context.apply }
  const result = await runTool({ id: 'call', name: tool.name, input: inputFor(tool, name) }, setup)
  if (!result.ok) return { code: result.code, text: result.text }
  const [{ notes: touched, pick = [] }] = proposals
  return [...touched.map(({ path }) => path), ...pick].includes(meant as never) ? meant : result.text
}

describe('every tool that takes a note', () => {
  it('is in this table', () => {
    expect(takingNotes.map(({ name }) => name).sort()).toEqual([
      'append_note',
      'delete_note',
      'edit_note',
      'file_read',
      'get_note_metadata',
      'list_backlinks',
      'list_forward_links',
      'query_base',
      'read_note',
      'related_notes',
      'rename_in_notes',
      'rename_note',
      'split_note',
      'update_frontmatter',
    ])
  })

  const spellings = [meant, 'House/Roof repair', 'Roof repair', 'roof REPAIR', 'Roof repair.md', 'house/roof repair.md']
  const cases = takingNotes.flatMap((tool) =>
    [...spellings, 'Dachsanierung', 'dachSanierung'].map((name) => [tool.name, name, tool] as const),
  )
  it.each(cases)('%s finds the note by %s', async (_, name, tool) => {
    expect(await reached(tool, name)).toBe(meant)
  })

  it.each(takingNotes.map((tool) => [tool.name, tool] as const))('%s lists the notes of one name', async (_, tool) => {
    const context = await testContext(notes)
    const input = inputFor(tool, 'plan')
    if (tool.name === 'file_read') {
      const { output } = await answerOf(tool, input, context)
      expect(output.files[0].content).toMatch(/Several notes have the name plan: A\/Plan\.md, B\/Plan\.md/)
      return
    }
    expect(await failureOf(tool, input, context)).toMatchObject({
      code: 'ambiguous',
      text: expect.stringContaining('Several notes have the name plan: A/Plan.md, B/Plan.md'),
    })
  })

  it.each(takingNotes.map((tool) => [tool.name, tool] as const))(
    '%s answers for a hidden note as for one that is not there',
    async (_, tool) => {
      const tools = registry([tool])
      const answer = async (files: Record<string, string>, name: string) => {
        const context = await testContext(files)
        const vocabulary = ruleVocabulary(tools)
        const rules = [parseRule('deny: reads(folder:Hidden)', vocabulary)]
        const setup = { registry: tools, context, log: memoryLog(), apply: context.apply }
        const call = { id: 'call', name: tool.name, input: inputFor(tool, name) }
        const result = await runTool(call, { ...setup, guard: guard({ level: 'auto', rules, vocabulary }) })
        return { ok: result.ok, text: result.text }
      }
      const { 'Hidden/Secret.md': _hidden, ...others } = notes
      for (const name of ['Hidden/Secret.md', 'Hidden/Secret', 'Secret', 'SECRET', 'Geheim']) {
        expect(await answer(notes, name)).toEqual(await answer(others, name))
      }
    },
  )
})

const tool = (name: string): Tool => builtInTools.find((each) => each.name === name) as Tool

describe('the new path of a note', () => {
  it.each([
    ['Roof done', 'House/Roof done.md'],
    ['Roof done.md', 'House/Roof done.md'],
    ['Areas', 'House/Areas.md'],
    ['/Roof done', 'Roof done.md'],
    ['./Roof done', 'Roof done.md'],
    ['/Areas', 'Areas.md'],
    ['/', 'Roof repair.md'],
    ['Work/', 'Areas/Work/Roof repair.md'],
    ['work/', 'Areas/Work/Roof repair.md'],
    ['/Work/', 'Work/Roof repair.md'],
    ['New/', 'New/Roof repair.md'],
    ['Archive/Roof', 'Archive/Roof.md'],
  ])('%s is %s', async (new_path, expected) => {
    const context = await testContext(notes)
    const { output, text } = await answerOf(tool('rename_note'), { path: 'Roof repair', new_path }, context)
    expect(output.new_path).toBe(expected)
    expect(text).toContain(`to ${expected}.`)
  })

  it('names the folders of one name, and says how to reach the top of the vault', async () => {
    const context = await testContext({ ...notes, 'B/Work/X.md': 'x' })
    const into = { path: 'Roof repair', new_path: 'Work/' }
    expect(await failureOf(tool('rename_note'), into, context)).toMatchObject({
      code: 'ambiguous',
      text: expect.stringContaining('Several folders have the name Work: Areas/Work/, B/Work/'),
    })
    const same = { path: 'Roof repair', new_path: 'Roof repair' }
    const { code, text } = await failureOf(tool('rename_note'), same, context)
    expect(code).toBe('invalid-input')
    expect(text).toContain('write /Roof repair')
  })

  it.each(['/etc/passwd', '/../x', '../x', '//x'])('refuses %s', async (new_path) => {
    const context = await testContext(notes)
    expect(await failureOf(tool('rename_note'), { path: meant, new_path }, context)).toMatchObject({ code: 'path' })
  })
})

describe('every tool that takes a folder', () => {
  const takingFolders = builtInTools.filter(
    (each) => fieldsOf(each).includes('folder') || JSON.stringify(inputSchema(each)).includes('"folder":{'),
  )
  const input = (name: string, folder: string) => {
    if (name === 'change_notes') return { folder, operations: [{ op: 'append', text: 'Log' }] }
    if (name === 'fix_vault') return { folder, fixes: ['redirect'] }
    if (name === 'list_tasks') return { folder }
    if (name === 'search_text') return { pattern: '.', regex: true, folder }
    return name === 'search_notes' ? { query: 'Log', filter: { folder } } : { folder }
  }

  it.each(takingFolders.map((each) => [each.name, each] as const))('%s finds it by its name', async (name, each) => {
    const context = await testContext(notes)
    for (const folder of ['Areas/Work', 'Work', 'work/']) {
      expect((await answerOf(each, input(name, folder), context)).text).toContain(
        name === 'fix_vault' ? 'Nothing' : 'Log',
      )
    }
    const twice = await testContext({ ...notes, 'B/Work/X.md': 'x' })
    expect(await failureOf(each, input(name, 'Work'), twice)).toMatchObject({ code: 'ambiguous' })
  })
})

describe('a tag in other capitals', () => {
  const change = async (input: Record<string, unknown>) => {
    const context = await testContext(notes)
    return (await answerOf(tool('update_frontmatter'), { path: meant, ...input }, context)).output.properties.tags
  }

  it('is not added twice', async () => {
    expect(await change({ add: { tags: ['work'] } })).toEqual(['Work'])
    expect(await change({ add: { tags: ['#WORK', 'roof', 'Roof'] } })).toEqual(['Work', 'roof'])
    expect(await change({ updates: { tags: ['Work', '#work', 'roof'] } })).toEqual(['Work', 'roof'])
  })

  it('is removed', async () => {
    expect(await change({ add: { tags: ['roof'] }, remove: { tags: ['#work'] } })).toEqual(['roof'])
  })
})
