import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stage as openStage, type Stage } from './cli-harness.js'

let stage: Stage
let folder: string
beforeEach(async () => {
  stage = await openStage()
  folder = join(stage.home, 'tools')
  await mkdir(folder, { recursive: true })
})
afterEach(() => stage.remove())

const put = async (name: string, text: string) => {
  await writeFile(join(folder, name), text)
  await stage.run(['programs', 'approve', `tool:${name}`, '--yes'])
}
const call = () => stage.json('tool', 'call', 'count_words', '--input', '{"path": "Garden/Beans.md"}')
const list = async () =>
  (await stage.run(['tool', 'list', '--json', '--vault', stage.vault])) as never as { stdout: string }

const countWords = (answer: string) => `
import { defineTool, Failure, notePath } from 'notewright'

export default defineTool({
  name: 'count_words',
  title: 'Count words',
  description: 'Counts the words of a note.',
  activity: 'Counting words',
  category: 'custom',
  effects: ['reads'],
  input: { jsonSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
  async run({ path }, { vault }) {
    const note = await vault.read(notePath(path))
    if (note === undefined) throw new Failure('not-found', 'No such note: ' + path)
    return { words: note.text.split(/\\s+/).filter(Boolean).length }
  },
  render: ({ words }) => words + ${JSON.stringify(answer)},
})
`

describe('tools that the user wrote', () => {
  it('are listed with their file, off by default, and reloaded when they change', async () => {
    await put('count-words.mjs', countWords(' words'))
    const { stdout } = await list()
    const row = JSON.parse(stdout).tools.find(({ name }: { name: string }) => name === 'count_words')
    expect(row).toMatchObject({
      category: 'custom',
      enabled: false,
      source: `custom:${join(folder, 'count-words.mjs')}`,
    })
    expect(await call()).toMatchObject({ value: { ok: false, code: 'unknown-tool' } })
    expect(await stage.json('tool', 'enable', 'count_words')).toMatchObject({
      value: { name: 'count_words', enabled: true },
    })
    expect(await call()).toMatchObject({ code: 0, value: { ok: true, text: '9 words' } })
    const missing = await stage.json('tool', 'call', 'count_words', '--input', '{"path": "No.md"}')
    expect(missing).toMatchObject({ value: { ok: false, code: 'not-found' } })
    const wrong = await stage.json('tool', 'call', 'count_words', '--input', '{"path": 5}')
    expect(wrong).toMatchObject({ value: { ok: false, code: 'invalid-input' } })
    await put('count-words.mjs', countWords(' words in all'))
    expect(await call()).toMatchObject({ value: { text: '9 words in all' } })
    expect(await stage.json('tool', 'disable', 'count_words')).toMatchObject({ code: 0 })
    expect(await call()).toMatchObject({ value: { ok: false, code: 'unknown-tool' } })
  })

  it('that are broken or use a taken name cause a notice and nothing else', async () => {
    await put('count-words.mjs', countWords(' words'))
    await stage.json('tool', 'enable', 'count_words')
    await put('count-words.mjs', 'export default {')
    await put('empty.mjs', 'export const nothing = 1')
    await put('half.mjs', 'export default { name: "half" }')
    await put('taken.mjs', countWords('').replaceAll('count_words', 'read_note'))
    const { code, stdout, stderr } = await stage.run(['search', 'beans', '--vault', stage.vault])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Beans.md') })
    expect(stderr).toBe('')
    const listed = await stage.run(['tool', 'list', '--vault', stage.vault])
    expect(listed.code).toBe(0)
    for (const words of ['count-words.mjs', 'it exports no tool', 'a tool needs title', 'read_note is already taken']) {
      expect(listed.stderr).toContain(words)
    }
    expect(await stage.json('tool', 'call', 'read_note', '--input', '{"path": "Home.md"}')).toMatchObject({ code: 0 })
    await put('count-words.mjs', countWords(' words'))
    expect(await call()).toMatchObject({ value: { ok: true } })
    await rm(join(folder, 'count-words.mjs'))
    expect(await call()).toMatchObject({ value: { ok: false, code: 'unknown-tool' } })
  })

  it('are not loaded from folders that others can write to, nor from a vault', async () => {
    await put('count-words.mjs', countWords(' words'))
    await stage.json('tool', 'enable', 'count_words')
    await chmod(join(folder, 'count-words.mjs'), 0o666)
    expect((await stage.run(['tool', 'list'])).stderr).toContain('other users of this computer can change it')
    await chmod(join(folder, 'count-words.mjs'), 0o644)
    await chmod(folder, 0o777)
    expect((await stage.run(['tool', 'list'])).stderr).toContain('can be changed by other users of this computer')
    expect(await call()).toMatchObject({ value: { ok: false, code: 'unknown-tool' } })
    await chmod(folder, 0o755)
    expect(await call()).toMatchObject({ value: { ok: true } })
    await mkdir(join(stage.home, '.obsidian'))
    expect((await stage.run(['tool', 'list'])).stderr).toContain('is inside a vault, so its tools are not used.')
    expect(await call()).toMatchObject({ value: { ok: false, code: 'unknown-tool' } })
  })
})
