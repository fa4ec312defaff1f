import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import type { DailyNoteSettings, ToolContext } from '../tool-context.js'
import { createDailyNote } from './create-daily-note.js'

interface Setup {
  notes?: Record<string, string>
  settings?: Partial<DailyNoteSettings>
  input?: { date?: string; content?: string }
  clock?: ToolContext['clock']
}

async function daily({ notes = {}, settings = {}, input = {}, clock }: Setup) {
  const context = await testContext(notes, {
    settings: { dailyNotes: async () => ({ folder: '', format: 'YYYY-MM-DD', ...settings }) },
    ...(clock && { clock }),
  })
  const plan = await createDailyNote.plan!(input, context)
  const applied = await context.apply(plan.changes)
  const text = (path: string) => new TextDecoder().decode(context.memory.snapshot().get(path))
  return { plan, text, words: createDailyNote.render(plan.output, applied) }
}

describe('create_daily_note', () => {
  it('makes today’s note where the vault keeps them', async () => {
    const { plan, text, words } = await daily({ settings: { folder: 'Journal/', format: 'YYYY/MM/YYYY-MM-DD dddd' } })
    expect(plan.output).toEqual({
      path: 'Journal/2024/01/2024-01-15 Monday.md',
      date: '2024-01-15',
      created: true,
      changed: true,
    })
    expect(words).toBe('Note created successfully: Journal/2024/01/2024-01-15 Monday.md')
    expect(text('Journal/2024/01/2024-01-15 Monday.md')).toBe('')
  })

  it("means today in the user's time zone", async () => {
    const clock = { now: () => new Date('2024-01-15T23:30:00Z'), timeZone: 'Europe/Berlin' }
    expect((await daily({ clock })).plan.output.path).toBe('2024-01-16.md')
  })

  it.each([
    ['2024-02-29', '2024-02-29.md'],
    ['yesterday', '2024-01-14.md'],
    ['Tomorrow', '2024-01-16.md'],
    ['today', '2024-01-15.md'],
  ])('takes the date %s', async (date, path) => {
    expect((await daily({ input: { date } })).plan.output.path).toBe(path)
  })

  it.each(['2023-02-29', 'next week', '', 'constructor', '2024-01-15T00:00'])('refuses the date %j', async (date) => {
    await expect(daily({ input: { date } })).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('fills in the template, and adds content below it', async () => {
    const template = '# {{title}}\n{{date}} {{DATE:dddd, Do MMMM}} {{ time }} {{time:H[h]mm}} {{other}}\n'
    const { text } = await daily({
      notes: { 'Templates/Day.md': template },
      settings: { template: 'Templates/Day', format: '[D]YYYYMMDD' },
      input: { content: '- call Ann' },
    })
    expect(text('D20240115.md')).toBe(
      '# D20240115\n2024-01-15 Monday, 15th January 12:00 12h00 {{other}}\n- call Ann\n',
    )
  })

  it('works without a missing template, and reports it', async () => {
    for (const template of ['Missing', '../outside/secret', 'p']) {
      const notes = { 'p.md': '---\nprivate: true\n---\nCANARY' }
      const { plan, text } = await daily({ notes, settings: { template }, input: { content: 'x' } })
      expect(plan.notices).toMatchObject([{ kind: 'other', text: expect.stringContaining('template was ignored') }])
      expect(text('2024-01-15.md')).toBe('x\n')
    }
  })

  it('adds content to a note that exists', async () => {
    const { plan, text, words } = await daily({
      notes: { '2024-01-15.md': '# Today\r\n\r\nlast' },
      input: { content: '- new' },
    })
    expect(plan.changes.changes).toMatchObject([{ kind: 'append' }])
    expect(text('2024-01-15.md')).toBe('# Today\r\n\r\nlast\r\n- new\r\n')
    expect(words).toBe('Text added to the daily note 2024-01-15.md')
  })

  it('answers that a note exists when there is nothing to add', async () => {
    const { plan, words } = await daily({ notes: { '2024-01-15.md': 'x' } })
    expect(plan).toMatchObject({ effects: [], changes: { changes: [] }, output: { created: false, changed: false } })
    expect(words).toBe('The daily note already exists: 2024-01-15.md. Nothing was changed.')
  })

  it('refuses a place that settings from a vault must not name', async () => {
    for (const settings of [{ format: '[../../x]' }, { folder: '.obsidian' }, { format: 'HH:mm' }]) {
      await expect(daily({ settings })).rejects.toMatchObject({ code: 'path' })
    }
  })

  it('refuses the name of a private note, and reveals no more', async () => {
    const notes = { '2024-01-15.md': '---\nprivate: true\n---\nCANARY' }
    await expect(daily({ notes, input: { content: 'x' } })).rejects.toMatchObject({
      code: 'path',
      message: 'No note can be written at 2024-01-15.md. Nothing was written.',
    })
  })

  it("warns of executable content, and separately of the template's", async () => {
    const notes = { 'T.md': '```dataviewjs\nx\n```\n' }
    const settings = { template: 'T.md' }
    const { plan } = await daily({ notes, settings, input: { content: '`$= 1`' } })
    expect(plan.notices).toMatchObject([
      {
        kind: 'executable',
        text: 'Adds text to 2024-01-15.md that plugins or browsers run as code: dataviewjs block (line 1). This comes from the daily note template T.md.',
      },
      {
        kind: 'executable',
        text: 'Adds text to 2024-01-15.md that plugins or browsers run as code: inline dataviewjs (line 4).',
      },
    ])
  })

  it.each(['<% tp.date.now() %>', '<%* tp.file.delete %>', '`$= 1`', '<iframe srcdoc="x">'])(
    'warns of %j in the template when nothing else is written',
    async (template) => {
      const { plan } = await daily({ notes: { 'T.md': template }, settings: { template: 'T.md' } })
      expect(plan.notices).toMatchObject([{ kind: 'executable', text: expect.stringContaining('template T.md') }])
    },
  )

  it('says nothing of a template that only has words and placeholders in it', async () => {
    const { plan } = await daily({ notes: { 'T.md': '# {{title}}\n\n- [ ] \n' }, settings: { template: 'T.md' } })
    expect(plan.notices).toEqual([])
  })
})
