import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { howOften } from '../runner/how-often.js'
import { type Stage, stage } from './cli-harness.js'

const canary = 'CANARYword'
const folder = 'Diary.'

let here: Stage
beforeEach(async () => {
  here = await stage()
  await here.write(
    `${folder}/Monday.md`,
    `${canary} with tomatoes, [[Home]] and [[${canary}elsewhere]] #${canary}tag\n`,
  )
})
afterEach(() => here.remove())

/** Everything a user can type that reads notes; each must still have something to say. */
const commands: [words: string[], input?: string][] = [
  [['search', 'tomatoes']],
  [['search', canary]],
  [['search', 'tomatoes', '--json', '--explain', '--passages']],
  [['search', '--batch', '-'], '{"id":1,"query":"tomatoes"}\n'],
  [['links', 'Home']],
  [['links', `${folder}/Monday.md`]],
  [['links', '--orphans']],
  [['links', '--unresolved', '--json']],
  [['related', 'Home', '--include-linked', '--json']],
  [['move', 'Home.md', 'Start.md', '--dry-run']],
  [['move', 'Home.md', 'Start.md', '--dry-run', '--json']],
  [['index', '--json']],
  [['tool', 'call', 'search_notes', '--input', '{"query":"tomatoes"}']],
  [['tool', 'call', 'list_backlinks', '--input', '{"path":"Home.md"}']],
  [['tool', 'call', 'get_tag_list', '--input', '{}']],
  [['ask', '-m', 'offline', 'What do my notes say about tomatoes?']],
  [['ask', '-m', 'offline', `Read ${folder}/Monday.md`]],
]

/** Starting each takes a while: in a quick run every third is enough to see that a rule is read at all. */
const tried = commands.filter((_, at) => at % howOften(3, 1) === 0)

async function said([words, input]: (typeof commands)[number]): Promise<string> {
  const { stdout, stderr } = await here.run([...words, '--vault', here.vault], { input })
  const text = `${stdout}\n${stderr}`
  expect(text).not.toContain('internal')
  expect(text.trim()).not.toBe('')
  return text
}

describe('a rule that denies reading a folder', () => {
  it.each(tried)('applies to %j', async (...command) => {
    await here.write('.notewright/permissions.json', '{"deny": ["reads(Diary?/**)"]}')
    expect(await said(command)).not.toContain(canary)
  })

  it('hides nothing else, and without it a search shows the folder', async () => {
    expect(await said(commands[0])).toContain(`${canary} with tomatoes`)
    await here.write('.notewright/permissions.json', '{"deny": ["reads(Diary?/**)"]}')
    expect(await said(commands[0])).toContain('Garden/Tomatoes.md')
  })

  it('is an error if it is invalid, and not ignored', async () => {
    await here.write('.notewright/permissions.json', '{"deny": ["raeds(Diary?/**)"]}')
    for (const words of [
      ['search', 'tomatoes'],
      ['links', 'Home'],
      ['ask', '-m', 'offline', 'tomatoes?'],
    ]) {
      const { stdout, stderr, code } = await here.run([...words, '--vault', here.vault])
      expect(code).not.toBe(0)
      expect(stdout).toBe('')
      expect(stderr).toContain('.notewright/permissions.json')
    }
  })
})

describe('rules in .notewrightignore', () => {
  it.each(tried)('written by a Windows shell apply to %j', async (...command) => {
    await writeFile(join(here.vault, '.notewrightignore'), Buffer.from('\uFEFFDiary?/\r\n', 'utf16le'))
    expect(await said(command)).not.toContain(canary)
  })

  const unreadable = Buffer.from('Tagebücher/\nDiary?/\n', 'latin1')

  it.each(tried)(
    'that cannot be read keep %j from reading anything, even if it was indexed before',
    async (words, input) => {
      await here.run(['index', '--vault', here.vault])
      await writeFile(join(here.vault, '.notewrightignore'), unreadable)
      const { stdout, stderr, code } = await here.run([...words, '--vault', here.vault], { input })
      expect(code).not.toBe(0)
      expect(`${stdout}${stderr}`).toContain('.notewrightignore')
      expect(stdout).not.toContain('Garden/')
    },
  )

  it('that cannot be read are reported by doctor', async () => {
    await writeFile(join(here.vault, '.notewrightignore'), unreadable)
    expect((await here.run(['doctor', '--vault', here.vault])).stdout).toContain('.notewrightignore')
  })
})
