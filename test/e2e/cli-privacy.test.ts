import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { howOften } from '../how-often.js'
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

/** Everything a person can type that reads notes; each must still have something to say. */
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
const isTriedNow = (_command: unknown, at: number) => at % howOften(3, 1) === 0

async function everythingSaid(some: typeof commands): Promise<string> {
  const said: string[] = []
  for (const [words, input] of some) {
    const { stdout, stderr, code } = await here.run([...words, '--vault', here.vault], { input })
    said.push(`${words.join(' ')} (${code})\n${stdout}\n${stderr}`)
    expect(said[said.length - 1]).not.toContain('internal')
  }
  return said.join('\n')
}

// What was typed comes back, as in "No note is called …".
const withoutTyped = (said: string) => said.replaceAll(new RegExp(`^search ${canary}.*$`, 'gm'), '')

describe('a rule that denies reading a folder', () => {
  it('holds for every command and the offline model, whichever file it stands in', async () => {
    await here.write('.notewright/permissions.json', '{"deny": ["reads(Diary?/**)"]}')
    const said = await everythingSaid(commands.filter(isTriedNow))
    expect(withoutTyped(said)).not.toContain(canary)
    expect(said).toContain('Garden/Tomatoes.md')
  }, 120_000)

  it('and without it the same commands tell', async () => {
    expect(await everythingSaid(commands.filter(isTriedNow))).toContain(`${canary} with tomatoes`)
  }, 120_000)

  it('is a failure where it cannot be understood, not no rule', async () => {
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
  }, 60_000)
})

describe('rules in .notewrightignore', () => {
  it('that a Windows shell wrote hold', async () => {
    await writeFile(join(here.vault, '.notewrightignore'), Buffer.from('\uFEFFDiary?/\r\n', 'utf16le'))
    const said = await everythingSaid(commands.filter(isTriedNow))
    expect(withoutTyped(said)).not.toContain(canary)
  }, 120_000)

  it('that cannot be read let nothing be read, though it was indexed before', async () => {
    await here.run(['index', '--vault', here.vault])
    await writeFile(join(here.vault, '.notewrightignore'), Buffer.from('Tagebücher/\nDiary?/\n', 'latin1'))
    for (const [words, input] of commands.filter(isTriedNow)) {
      const { stdout, stderr, code } = await here.run([...words, '--vault', here.vault], { input })
      expect([words.join(' '), code]).not.toEqual([words.join(' '), 0])
      expect(`${stdout}${stderr}`).toContain('.notewrightignore')
      expect(stdout).not.toContain('Garden/')
    }
    expect((await here.run(['doctor', '--vault', here.vault])).stdout).toContain('.notewrightignore')
  }, 120_000)
})
