import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import * as z from 'zod'
import { showRequest } from '../../../src/apps/cli/approval/show-request.js'
import { style } from '../../../src/apps/cli/terminal/terminal.js'
import type { ApprovalRequest } from '../../../src/core/approval/index.js'
import { visibleText } from '../../../src/core/text/index.js'
import { builtInTools, defineTool, registry } from '../../../src/core/tools/index.js'
import { treeHash } from '../floor.js'
import type { CaseChecks, Check } from '../security-case.js'
import { sampleInput, textFields, withText } from './sample-input.js'
import { type ToolFloor, withTools } from './tool-floor.js'

const canary = 'CANARYword'

/** Rules, and a folder that each of them means in some spelling. */
const denied: [rule: string, folder: string][] = [
  ['reads(Diary?/**)', 'Diary.'],
  ['reads(Diary?/**)', 'Diary '],
  ['reads(diar*/**)', 'DIARY. .'],
  ['*(Diary/**)', 'Diary.'],
  ['reads(**/Diary?)', 'Deep/Diary. '],
  ['reads(Caf?/**)', 'Cafe\u0301'],
  ['reads(Cafe?/**)', 'Café'],
  ['reads(folder:Diary)', 'Ｄｉａｒｙ'],
  ['reads(Ｄｉａｒｙ／＊＊)', 'Diary'],
  ['reads(Diary)', 'Di\u00adary'],
]

/** Calls of all tools with every input that could reach a note. */
function* callsFor(path: string): Generator<{ name: string; input: Record<string, unknown> }> {
  for (const tool of builtInTools) {
    if (tool.effects.includes('reaches-network')) continue
    yield { name: tool.name, input: sampleInput(tool) }
    for (const field of textFields(tool)) {
      for (const text of [path, 'needle']) {
        yield { name: tool.name, input: withText(sampleInput(tool), field, text) }
      }
    }
  }
}

async function expectUnheard(floor: ToolFloor, path: string): Promise<void> {
  const before = floor.bytes(path)
  for (const { name, input } of callsFor(path)) {
    const result = await floor.call(name, input)
    expect(`${name} ${result.text}`).not.toContain(canary)
    if (result.ok && result.changeSet) await floor.take(result.changeSet.id)
  }
  expect(floor.bytes(path)).toEqual(before)
  expect(floor.said()).not.toContain(canary)
}

const encodings: [name: string, bytes: Uint8Array, isRead: boolean][] = [
  ['UTF-8 with a mark', Buffer.from('\uFEFFDiary/\n'), true],
  ['UTF-16 LE with a mark', Buffer.from('\uFEFFDiary/\r\n', 'utf16le'), true],
  ['UTF-16 BE with a mark', Buffer.from('\uFEFFDiary/\r\n', 'utf16le').swap16(), true],
  ['UTF-16 LE without a mark', Buffer.from('Diary/\r\n', 'utf16le'), true],
  ['Latin-1', Buffer.from('Tagebücher/\nDiary/\n', 'latin1'), false],
  ['bytes that are no text', Buffer.from([0, 1, 2, 3, 0xff]), false],
]

const secretFiles = { 'Note.md': 'A needle here.\n', 'Diary/1.md': `needle ${canary} #shared [[Note]]\n` }

async function expectClosed(floor: ToolFloor): Promise<void> {
  const before = treeHash(floor.vault)
  for (const [name, input] of [
    ['search_notes', { query: 'needle' }],
    ['vault_search', { query: 'needle' }],
    ['read_note', { path: 'Note.md' }],
    ['list_backlinks', { path: 'Note.md' }],
    ['related_notes', { path: 'Note.md', include_linked: true }],
    ['get_tag_list', {}],
    ['get_file_tree', {}],
    ['get_random_note', {}],
    ['write_note', { path: 'New.md', content: 'x' }],
  ] as const) {
    const result = await floor.call(name, input)
    expect(result).toMatchObject({ ok: false, code: 'invalid-input' })
    expect(result.text).toContain('.notewrightignore')
    expect(result.text).not.toContain(canary)
  }
  await expect(floor.notebook.update()).rejects.toThrow('.notewrightignore')
  expect(treeHash(floor.vault)).toBe(before)
}

// A09: one of each kind, with what each must be drawn as.
const hidden = '\u{e0063}\u{e0061}\u200b\u200b\u2063\ufe00\ufe01'
const drawn = '⟦U+E0063 U+E0061 U+200B×2 U+2063 U+FE00 U+FE01⟧'

export const privacyCases: CaseChecks = {
  P13: () =>
    denied.map(([rule, folder]): Check => {
      const path = `${folder}/Secret.md`
      return {
        name: `deny: ${rule} keeps ${JSON.stringify(path)} from every tool`,
        run: () =>
          withTools(
            { 'Note.md': 'A needle. See [[Secret]]. #shared\n', [path]: `${canary} needle [[Note]] #shared\n` },
            { level: 'auto', deny: [rule] },
            (floor) => expectUnheard(floor, path),
          ),
      }
    }),

  P14: () => [
    ...encodings.map(
      ([name, rules, isRead]): Check => ({
        name: isRead ? `${name}: the rules apply` : `${name}: nothing is served, and the reason is said`,
        run: () =>
          withTools(
            { ...secretFiles, ...(isRead && { '.notewrightignore': rules }) },
            { level: 'auto' },
            async (floor) => {
              if (isRead) return expectUnheard(floor, 'Diary/1.md')
              floor.put('.notewrightignore', rules)
              await expectClosed(floor)
              floor.put('.notewrightignore', 'Diary/\n')
              await floor.notebook.update()
              await expectUnheard(floor, 'Diary/1.md')
            },
          ),
      }),
    ),
    {
      name: 'a folder: nothing is served, and the reason is said',
      run: () =>
        withTools(secretFiles, { level: 'auto' }, async (floor) => {
          mkdirSync(join(floor.vault, '.notewrightignore'))
          await expectClosed(floor)
          rmSync(join(floor.vault, '.notewrightignore'), { recursive: true })
          expect((await floor.done('read_note', { path: 'Note.md' })).text).toContain('needle')
        }),
    },
  ],

  A09: () => [
    {
      name: 'in a change: drawn in the diff, counted, and what is drawn is what is written',
      run: () =>
        withTools({ 'Note.md': 'old\n' }, { answer: 'yes' }, async (floor) => {
          const content = `plain${hidden} text\n`
          await floor.done('write_note', { path: 'Note.md', content })
          const request = floor.shown[0] as ApprovalRequest
          const shown = showRequest(request, style(false))
          expect(shown).toContain(`plain${drawn} text`)
          expect(shown).toContain('Adds 7 hidden characters')
          expect(request.hidden).toBe(7)
          expect(shown).not.toMatch(/\p{Default_Ignorable_Code_Point}/u)
          expect(visibleText(floor.bytes('Note.md').toString()).text).toBe(`plain${drawn} text\n`)
        }),
    },
    {
      name: 'in an argument: drawn, and counted',
      run: () =>
        withTools({ 'Note.md': 'old\n' }, { level: 'ask-all', answer: 'no' }, async (floor) => {
          await floor.refused('denied', 'vault_search', { query: `q${hidden}` })
          const shown = showRequest(floor.shown[0] as ApprovalRequest, style(false))
          expect(shown).toContain(`q${drawn}`)
          expect(shown).toContain('7 characters are invisible')
          expect(shown).not.toMatch(/\p{Default_Ignorable_Code_Point}/u)
        }),
    },
    {
      name: 'in the title of a tool of elsewhere: drawn, and counted',
      run: async () => {
        const tool = defineTool({
          name: 'odd_tool',
          title: `Odd${hidden}`,
          description: `Does odd things.${hidden}`,
          activity: 'Being odd',
          category: 'custom',
          effects: ['reads'],
          input: z.object({}),
          output: z.object({}),
          run: async () => ({}),
          render: () => 'done',
        })
        const tools = registry([...builtInTools, tool])
        await withTools({}, { level: 'ask-all', answer: 'no', registry: tools }, async (floor) => {
          await floor.refused('denied', 'odd_tool', {})
          const request = floor.shown[0] as ApprovalRequest
          expect(showRequest(request, style(false))).toContain(`Odd${drawn}`)
          expect(request.hidden).toBeGreaterThanOrEqual(7)
        })
      },
    },
    {
      name: 'in a note that is read: by the same function, and counted',
      run: () =>
        withTools({ 'Note.md': `plain${hidden} text\n` }, { level: 'auto' }, async (floor) => {
          const { text, output } = await floor.done('read_note', { path: 'Note.md' })
          expect(text).toContain(`plain${drawn} text`)
          expect(output.hidden).toBe(7)
        }),
    },
  ],
}
