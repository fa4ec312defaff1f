import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPrompts, readSkills } from '../../core/skills.js'
import { folderDailyNotes, folderGuides, growingRedactor } from './folder-host.js'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'notewright-guides-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), text)
}

const guides = () => folderGuides(join(home, 'vault'), join(home, 'config'))
const skill = (name: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\nText of ${name}.`

describe('guides of a folder', () => {
  it("are the user's own and those in the vault's dot folders", async () => {
    await put('config/AGENTS.md', 'Be brief.')
    await put('config/skills/mine/SKILL.md', skill('mine'))
    await put('vault/.agents/skills/theirs/SKILL.md', skill('theirs'))
    await put('vault/.claude/skills/older/SKILL.md', skill('older'))
    await put('vault/.claude/commands/weekly.md', 'Look back.')
    await put('config/prompts/daily.md', 'Look ahead.')
    const { folders, instructions } = guides()
    expect(await instructions()).toBe('Be brief.')
    expect((await readSkills(folders, fail)).map(({ name, from }) => [name, from])).toEqual([
      ['mine', 'person'],
      ['older', 'vault'],
      ['theirs', 'vault'],
    ])
    expect((await readPrompts(folders, fail)).map(({ name, from }) => [name, from])).toEqual([
      ['daily', 'person'],
      ['weekly', 'vault'],
    ])
  })

  it('are none where there are no such folders', async () => {
    await put('vault/Note.md', 'x')
    expect(await readSkills(guides().folders, fail)).toEqual([])
    expect(await guides().instructions()).toBeUndefined()
  })

  it('never lead out of their folder', async () => {
    await put('outside/SKILL.md', skill('outside'))
    await put('outside/secret.md', 'CANARY')
    await put('vault/.agents/skills/fine/SKILL.md', skill('fine'))
    await symlink(join(home, 'outside'), join(home, 'vault/.agents/skills/linked'))
    await mkdir(join(home, 'vault/.agents/skills/half'))
    await symlink(join(home, 'outside/SKILL.md'), join(home, 'vault/.agents/skills/half/SKILL.md'))
    await symlink(join(home, 'outside/secret.md'), join(home, 'vault/.agents/skills/fine/more.md'))
    const troubles: string[] = []
    const skills = await readSkills(guides().folders, (text) => troubles.push(text))
    expect(skills.map(({ name }) => name)).toEqual(['fine'])
    expect(troubles).toEqual([expect.stringContaining('half')])
    for (const path of ['../../../../outside/secret.md', '/etc/passwd', '..', 'more.md', 'a\\..\\b', 'x\0.md']) {
      const read = Promise.resolve().then(() => skills[0].read(path))
      expect(`${await read.catch((error) => error.code)}`).toMatch(/^(?:undefined|invalid-input)$/)
    }
  })

  it('that are too large or not text are left out with a message', async () => {
    await put('vault/.agents/skills/huge/SKILL.md', skill('huge') + 'x'.repeat(300_000))
    await put('vault/.agents/skills/odd/SKILL.md', 'a\0\u0001b')
    const troubles: string[] = []
    expect(await readSkills(guides().folders, (text) => troubles.push(text))).toEqual([])
    expect(troubles).toHaveLength(2)
  })
})

function fail(text: string): never {
  throw new Error(text)
}

const usual = { folder: '', format: 'YYYY-MM-DD' }
const secret = '{"folder":"Secret"}'

describe('daily-note settings', () => {
  let base: string
  let root: string
  const put = (json: string) => writeFileSync(join(root, '.obsidian/daily-notes.json'), json)

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'notewright-settings-'))
    root = join(base, 'vault')
    mkdirSync(join(root, '.obsidian'), { recursive: true })
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  it('are read from the vault, as they are at that moment', async () => {
    put('\ufeff{"folder":"/Journal/Daily/","format":"YYYY/MM/DD","template":"Templates/Day","autorun":true}')
    expect(await folderDailyNotes(root)).toEqual({
      folder: 'Journal/Daily',
      format: 'YYYY/MM/DD',
      template: 'Templates/Day',
    })
    put('{}')
    expect(await folderDailyNotes(root)).toEqual(usual)
  })

  it('are Obsidian’s defaults where nothing is set', async () => {
    expect(await folderDailyNotes(root)).toEqual(usual)
    rmSync(join(root, '.obsidian'), { recursive: true })
    expect(await folderDailyNotes(root)).toEqual(usual)
    expect(await folderDailyNotes(join(base, 'no vault'))).toEqual(usual)
  })

  it.each([
    '{"folder":"","format":"","template":""}',
    '{"folder":7,"format":["x"],"template":{}}',
    '{"folder":"../outside","format":" ","template":"/../../etc/passwd"}',
    '{"folder":".obsidian/plugins","template":".git/config"}',
    '{"folder":"a\\u0000b","format":"a\\nb","template":"C:\\\\x"}',
    `{"folder":"${'a'.repeat(2000)}","format":"${'Y'.repeat(300)}"}`,
    '{"__proto__":{"folder":"x"}}',
    '["folder"]',
    'null',
    '{"folder":',
    '',
  ])('pass over what is absurd: %s', async (json) => {
    put(json)
    expect(await folderDailyNotes(root)).toEqual(usual)
  })

  it.each<[string, () => void]>([
    [
      'a link out of the vault',
      () => {
        writeFileSync(join(base, 'daily-notes.json'), secret)
        symlinkSync(join(base, 'daily-notes.json'), join(root, '.obsidian/daily-notes.json'))
      },
    ],
    [
      'a folder that is a link out of the vault',
      () => {
        rmSync(join(root, '.obsidian'), { recursive: true })
        mkdirSync(join(base, 'elsewhere'))
        writeFileSync(join(base, 'elsewhere/daily-notes.json'), secret)
        symlinkSync(join(base, 'elsewhere'), join(root, '.obsidian'))
      },
    ],
    ['a folder', () => mkdirSync(join(root, '.obsidian/daily-notes.json'))],
    ['a pipe', () => execFileSync('mkfifo', [join(root, '.obsidian/daily-notes.json')])],
    ['a huge file', () => put(`${secret}${' '.repeat(1 << 17)}`)],
  ])('are not read from %s', async (_, make) => {
    make()
    expect(await folderDailyNotes(root)).toEqual(usual)
  })
})

it('a secret that becomes known is masked from then on', () => {
  const secrets = ['first-canary']
  const redact = growingRedactor(secrets, {})
  expect(redact('first-canary and second-canary')).toBe('[redacted] and second-canary')
  secrets.push('second-canary')
  expect(redact('first-canary and second-canary')).toBe('[redacted] and [redacted]')
})
