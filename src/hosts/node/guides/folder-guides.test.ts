import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPrompts, readSkills } from '../../../core/guides/index.js'
import { folderGuides } from './index.js'

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
  it("are the person's own and those in the vault's dot folders", async () => {
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

  it('that are too large or no text are left out with a sentence', async () => {
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
