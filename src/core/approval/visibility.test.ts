import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testContext } from '../../../test/tools/call-tool.js'
import { fileTools, searchTools } from '../tools/built-in.js'
import { memoryLog, registry, runTool, type ToolContext } from '../tools/index.js'
import { notePath } from '../vault/index.js'
import { type ApprovalAnswer, approvalQueue, guard, parseRule, ruleVocabulary } from './index.js'

const notes = {
  'Plan.md': 'The plan mentions a zebra #shared. See [[Monday]] and [[Public]].\n',
  'Public.md': '---\naliases: [Open]\n---\nA public zebra #shared. See [[Plan]].\n',
  'Journal/Monday.md': 'Secret zebra CANARY #diary #shared. See [[Plan]].\n',
  'Journal/Plan.md': 'Secret plan zebra CANARY.\n',
  'Other/Tagged.md': 'Tagged zebra CANARY #secret/deep. See [[Public]].\n',
  'Other/Marked.md': '---\nstatus: hidden\n---\nMarked zebra CANARY.\n',
}

const tools = registry([...fileTools, ...searchTools])
const vocabulary = ruleVocabulary(tools)

async function setUp(rules: string[], answer?: ApprovalAnswer) {
  const context = await testContext(notes)
  let asked = 0
  const asker = async () => {
    asked++
    return answer
  }
  const own = guard({
    level: 'ask',
    rules: rules.map((text) => parseRule(text, vocabulary)),
    vocabulary,
    approvals: approvalQueue(answer ? { askPerson: asker } : {}),
  })
  const screened = own.filterVisible(context)
  const call = (name: string, input: unknown) =>
    runTool({ id: 'c', name, input }, { registry: tools, context, guard: own, log: memoryLog(), apply: context.apply })
  return { context, screened, guard: own, call, asked: () => asked }
}

describe('without a rule about reading single notes', () => {
  it('the context stays the very same', async () => {
    for (const rules of [
      [],
      ['allow: reads(folder:Journal)'],
      ['deny: writes(folder:Journal)'],
      ['ask: read_note'],
      ['deny: reads'],
    ]) {
      const { context, screened } = await setUp(rules)
      expect(screened).toBe(context)
    }
  })
})

describe.each([
  ['deny: reads(folder:journal)', ['Journal/Monday.md', 'Journal/Plan.md']],
  ['deny: *(Journal)', ['Journal/Monday.md', 'Journal/Plan.md']],
  ['deny: reads(tag:#Secret)', ['Other/Tagged.md']],
  ['deny: reads(prop:status=hidden)', ['Other/Marked.md']],
  ['deny: reads(!Plan.md)', Object.keys(notes).filter((path) => path !== 'Plan.md')],
])('%s', (rule, hidden) => {
  const left = Object.keys(notes)
    .filter((path) => !hidden.includes(path))
    .sort()

  it('takes the notes out of every list', async () => {
    const { screened } = await setUp([rule])
    expect((await screened.vault.files()).map(({ path }) => path)).toEqual(left)
    expect(await screened.index.files()).toEqual(left)
    expect((await screened.index.notes()).map(({ path }) => path)).toEqual(left)
    const { hits } = await screened.index.search({ query: 'zebra' })
    expect(hits.map(({ path }) => path).sort()).toEqual(left)
  })

  it('answers for each as for a note that is not there', async () => {
    const { screened } = await setUp([rule])
    for (const path of hidden.map(notePath)) {
      expect(await screened.vault.read(path)).toBeUndefined()
      expect(await screened.vault.stat(path)).toBeUndefined()
      expect(await screened.vault.readPart(path, { from: 0, bytes: 10 })).toBeUndefined()
      expect(await screened.vault.readPart(path, { from: 0, bytes: 0 })).toBeUndefined()
      expect(await screened.index.note(path)).toBeUndefined()
      expect(await screened.index.linksFrom(path)).toEqual([])
      expect(await screened.index.linksTo(path)).toEqual([])
      await expect(screened.index.find(path)).rejects.toMatchObject({
        code: 'not-found',
        message: `Note not found: ${path}`,
      })
    }
  })

  it('keeps every word of them out of every answer and error', async () => {
    const { call } = await setUp([rule])
    const calls: [string, unknown][] = [
      ['search_notes', { query: 'zebra CANARY' }],
      ['search_notes', { query: '"Secret zebra"' }],
      ['vault_search', { query: 'CANARY' }],
      ['get_file_tree', {}],
      ['get_tag_list', {}],
      ['search_by_tag', { tags: ['shared'] }],
      ['search_by_tag', { tags: ['secret'] }],
      ['list_backlinks', { path: 'Plan.md' }],
      ['list_forward_links', { path: 'Plan.md' }],
      ['related_notes', { path: 'Plan.md', include_linked: true }],
      ['related_notes', { path: 'Public.md' }],
      ['get_random_note', {}],
      ['read_note', { path: 'Pla.md' }],
      ['get_note_metadata', { path: 'Nothing.md' }],
    ]
    const words = ['Secret', 'diary', 'Tagged', 'Marked'].filter((word) =>
      Object.entries(notes).every(([path, text]) => hidden.includes(path) || !`${path} ${text}`.includes(word)),
    )
    expect(words.length).toBeGreaterThan(0)
    for (const [name, input] of calls) {
      const { text } = await call(name, input)
      for (const word of words)
        if (!JSON.stringify(input).includes(word)) expect(`${name}: ${text}`).not.toContain(word)
    }
  })
})

describe('a screened vault', () => {
  it('counts tags and links without the hidden notes', async () => {
    const { screened } = await setUp(['deny: reads(folder:Journal)'])
    expect(await screened.index.tags()).toEqual([
      { tag: 'shared', notes: 2 },
      { tag: 'secret/deep', notes: 1 },
    ])
    const from = await screened.index.linksFrom(notePath('Plan.md'))
    expect(from.map(({ target }) => target)).toEqual([null, 'Public.md'])
    expect((await screened.index.linksTo(notePath('Plan.md'))).map(({ source }) => source)).toEqual(['Public.md'])
  })

  it('tells links that lead nowhere, and notes that nothing links to, as if the hidden notes were not there', async () => {
    const { screened } = await setUp(['deny: reads(folder:Journal)'])
    expect((await screened.index.unresolved()).map(({ source, raw }) => [source, raw])).toEqual([
      ['Plan.md', '[[Monday]]'],
    ])
    expect(await screened.index.orphans()).toEqual(['Other/Marked.md', 'Other/Tagged.md'])
    const other = await setUp(['deny: reads(path:Plan.md)'])
    expect(await other.screened.index.orphans()).toContain('Journal/Monday.md')
  })

  it('finds by name what is left of several', async () => {
    const { screened } = await setUp(['deny: reads(folder:Journal)'])
    expect((await screened.index.find('Plan')).path).toBe('Plan.md')
    const other = await setUp(['deny: reads(path:Plan.md)', 'deny: reads(folder:Other)'])
    await expect(other.screened.index.find('Plan')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('fills a search up to its limit, however many hits are hidden', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [
        `${at < 100 ? 'Hidden' : 'Seen'}/${at}.md`,
        `zebra ${at < 100 ? 'zebra zebra' : ''}`,
      ]),
    )
    const context = await testContext(many)
    const rules = [parseRule('deny: reads(folder:Hidden)', vocabulary)]
    const { index } = guard({ level: 'ask', rules, vocabulary }).filterVisible(context)
    const { hits } = await index.search({ query: 'zebra', limit: 10 })
    expect(hits).toHaveLength(10)
    expect(hits.every(({ path }) => path.startsWith('Seen/'))).toBe(true)
    expect((await index.search({ query: 'zebra', limit: 100 })).hits).toHaveLength(20)
  })

  it('does not tell that a phrase or a word is in a hidden note', async () => {
    const { screened } = await setUp(['deny: reads(folder:Journal)'])
    const phrase = await screened.index.search({ query: '"secret zebra"' })
    expect(phrase.phraseMissed).toBe(true)
    const corrected = await screened.index.search({ query: 'diarry' })
    expect(JSON.stringify(corrected)).not.toContain('"diary"')
  })

  it('judges a note by what it says now, not by what the index remembers', async () => {
    const { context, screened } = await setUp(['deny: reads(tag:#secret)'])
    context.memory.write('Public.md', 'Now #secret.')
    expect(await screened.vault.read(notePath('Public.md'))).toBeUndefined()
  })

  it('hides a note whose properties cannot be read from a rule about them', async () => {
    const { context, screened } = await setUp(['deny: reads(prop:status=hidden)'])
    context.memory.write('Broken.md', '---\nstatus: [hidden\n---\ntext')
    expect(await screened.vault.read(notePath('Broken.md'))).toBeUndefined()
  })

  it('refuses a rename that would rewrite a hidden note, without naming it, and breaks no link', async () => {
    const { call, context } = await setUp(['deny: reads(folder:Journal)'], { verdict: 'allow' })
    const before = context.memory.snapshot()
    const result = await call('rename_note', { path: 'Plan.md', new_path: 'Scheme.md' })
    expect(result).toMatchObject({ code: 'denied' })
    expect(result.text).not.toMatch(/journal|monday/i)
    expect(context.memory.snapshot()).toEqual(before)
  })

  it('does not name the rule to the model where nobody can be asked', async () => {
    const { call } = await setUp(['ask: reads(folder:Journal)'])
    const result = await call('rename_note', { path: 'Plan.md', new_path: 'Scheme.md' })
    expect(result).toMatchObject({ code: 'needs-approval' })
    expect(result.text).not.toMatch(/journal|monday/i)
  })

  it.each([
    ['deny: reads(folder:Journal)', 'Journal/Monday.md'],
    ['deny: reads(tag:#secret)', 'Other/Tagged.md'],
    ['deny: reads(prop:status=hidden)', 'Other/Marked.md'],
  ])('gives no hint by %s that a name is taken, and overwrites nothing', async (rule, taken) => {
    const { call, context, asked } = await setUp([rule, 'deny: reads(folder:Closed)'], { verdict: 'allow' })
    const before = context.memory.snapshot()
    const answers: string[] = []
    for (const path of [taken, 'Closed/Free.md', ...(rule.includes('Journal') ? ['Journal/Free.md'] : [])]) {
      const result = await call('write_note', { path, content: 'x' })
      const moved = await call('rename_note', { path: 'Public.md', new_path: path })
      expect([result, moved]).toMatchObject([{ code: 'path' }, { code: 'path' }])
      answers.push(`${result.text} ${moved.text}`.replaceAll(path, 'PATH'))
    }
    expect(new Set(answers).size).toBe(1)
    expect(asked()).toBe(0)
    expect(context.memory.snapshot()).toEqual(before)
  })
})

describe('a note that a rule asks for', () => {
  it('is in no list, can be named, and is read on a yes', async () => {
    const { screened, call, asked } = await setUp(['ask: reads(folder:Journal)'], { verdict: 'allow' })
    expect((await screened.vault.files()).map(({ path }) => path)).not.toContain('Journal/Monday.md')
    expect((await call('vault_search', { query: 'diary' })).text).not.toContain('Monday')
    expect(asked()).toBe(0)
    const result = await call('read_note', { path: 'Journal/Monday.md' })
    expect(result.text).toContain('CANARY')
    expect(asked()).toBe(1)
    expect((await call('vault_search', { query: 'diary' })).text).toContain('Monday')
    await call('read_note', { path: 'Journal/Monday.md' })
    expect(asked()).toBe(2)
  })

  it('stays closed on a no, and to tools that would look at it before asking', async () => {
    const { screened, call } = await setUp(['ask: reads(folder:Journal)'], { verdict: 'deny' })
    expect((await call('edit_note', { path: 'Journal/Monday.md', old_text: 'CANARY', new_text: 'x' })).text).toContain(
      'not found',
    )
    expect(await call('read_note', { path: 'Journal/Monday.md' })).toMatchObject({ code: 'denied' })
    expect(await screened.vault.read(notePath('Journal/Monday.md'))).toBeUndefined()
    expect(await screened.vault.readPart(notePath('Journal/Monday.md'), { from: 0, bytes: 5 })).toBeUndefined()
  })

  it('is opened only if picked', async () => {
    const { screened, call } = await setUp(['ask: reads(folder:Journal)'], { verdict: 'allow', picked: ['Plan.md'] })
    expect(await call('file_read', { filePaths: ['Plan.md', 'Journal/Monday.md'] })).toMatchObject({ ok: true })
    expect(await screened.vault.read(notePath('Journal/Monday.md'))).toBeUndefined()
  })
})

it('never shows a note that a rule denies, whatever the rules', async () => {
  const context = await testContext(notes)
  const texts = [
    'reads(Journal/**)',
    'reads(tag:#shared)',
    'reads(prop:status)',
    'reads(Plan.md)',
    '*(folder:Other)',
    'reads(!tag:#diary)',
  ]
  const some = fc.array(
    fc.record({ effect: fc.constantFrom('deny', 'ask', 'allow'), text: fc.constantFrom(...texts) }),
    { maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(some, async (chosen) => {
      const rules = chosen.map(({ effect, text }) => parseRule(`${effect}: ${text}`, vocabulary))
      const { vault, index }: ToolContext = guard({ level: 'auto', rules, vocabulary }).filterVisible(context)
      const files = (await vault.files()).map(({ path }) => path)
      expect(await index.files()).toEqual(files)
      expect((await index.notes()).map(({ path }) => path)).toEqual(files)
      for (const path of Object.keys(notes).map(notePath)) {
        expect((await vault.read(path)) !== undefined).toBe(files.includes(path))
      }
    }),
    { numRuns: 40 },
  )
})

it('a part of a note is judged by what the note says now, not by an old index', async () => {
  const { context, screened } = await setUp(['deny: reads(tag:#secret)'])
  const path = notePath('Public.md')
  expect(await screened.vault.readPart(path, { from: 0, bytes: 100 })).toBeDefined()
  context.memory.write('Public.md', new TextEncoder().encode('CANARY now #secret\n'))
  expect(await screened.vault.readPart(path, { from: 0, bytes: 6 })).toBeUndefined()
})
