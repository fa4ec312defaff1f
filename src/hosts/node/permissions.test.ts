import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRules, type RuleVocabulary, type StoredGrant } from '../../core/approval/index.js'
import { Failure } from '../../core/errors.js'
import { storedGrants, vaultRules } from './permissions.js'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'notewright-permissions-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

let places = 0
async function place(): Promise<string> {
  const folder = join(root, `${++places}`)
  await mkdir(folder)
  return folder
}

const grant = (id: string, rule = `edit_note(${id}.md)`): StoredGrant => ({
  id,
  rule,
  createdAt: '2026-01-01T00:00:00.000Z',
})

describe('stored grants', () => {
  it('are there for the next process, and for their owner alone', async () => {
    const folder = await place()
    expect(await storedGrants({ folder }).load()).toEqual([])
    await storedGrants({ folder }).add({ ...grant('1'), about: 'Edit note' })
    expect(await storedGrants({ folder }).load()).toEqual([{ ...grant('1'), about: 'Edit note' }])
    expect((await stat(join(folder, 'state.db'))).mode & 0o777).toBe(0o600)
  })

  it('are revoked everywhere at once', async () => {
    const folder = await place()
    const [one, other] = [storedGrants({ folder }), storedGrants({ folder })]
    await one.add(grant('1'))
    await one.add(grant('2'))
    expect(await other.load()).toHaveLength(2)
    expect(await one.revoke('1')).toBe(true)
    expect(await one.revoke('1')).toBe(false)
    expect(await other.load()).toEqual([grant('2')])
  })

  it('keep one grant for one rule', async () => {
    const grants = storedGrants({ folder: await place() })
    await grants.add(grant('1', 'edit_note'))
    await grants.add(grant('2', 'edit_note'))
    expect(await grants.load()).toEqual([grant('2', 'edit_note')])
  })

  it('lose nothing when several write at once', async () => {
    const folder = await place()
    await Promise.all(Array.from({ length: 12 }, (_, at) => storedGrants({ folder }).add(grant(`${at}`))))
    expect((await storedGrants({ folder }).load()).map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual([
      ...Array(12).keys(),
    ])
  })

  it.each([
    ['other bytes', 'this is not a database '.repeat(500)],
    ['half a database', undefined],
  ])('allow nothing when the state is damaged (%s): it is set aside and reported', async (_name, text) => {
    const folder = await place()
    const file = join(folder, 'state.db')
    await storedGrants({ folder }).add(grant('0'))
    const bytes = await readFile(file)
    // SQLite removes its own files when a connection closes, so one may be gone.
    for (const name of await readdir(folder)) await rm(join(folder, name), { force: true })
    await writeFile(file, text ?? bytes.subarray(0, 5000))
    const troubles: string[] = []
    const grants = storedGrants({ folder, onTrouble: (trouble) => troubles.push(trouble) })
    expect(await grants.load()).toEqual([])
    expect(await grants.load()).toEqual([])
    expect(troubles).toEqual([expect.stringContaining('rules of this vault were damaged')])
    expect((await readdir(folder)).some((name) => name.startsWith('state-damaged-'))).toBe(true)
    await grants.add(grant('1'))
    expect(await storedGrants({ folder }).load()).toEqual([grant('1')])
  })

  it('allow nothing where the state cannot be opened, and calls do not fail for it', async () => {
    const folder = await place()
    await mkdir(join(folder, 'state.db'))
    const troubles: string[] = []
    expect(await storedGrants({ folder, onTrouble: (trouble) => troubles.push(trouble) }).load()).toEqual([])
    expect(troubles).toEqual([expect.stringContaining("so they don't apply")])
  })
})

describe('grants of an earlier version, in a file', () => {
  it.each([
    ['half a file', '{"version":1,"grants":[{"id":"1"'],
    ['another version', '{"version":2,"grants":[]}'],
    ['a grant without a rule', '{"version":1,"grants":[{"id":"1","createdAt":"x"}]}'],
    ['not an object', 'null'],
    ['nothing', ''],
    ['far too much', ' '.repeat((1 << 20) + 1)],
  ])('allow nothing when damaged (%s): the file is put aside and the user informed', async (_name, text) => {
    const folder = await place()
    await mkdir(join(folder, 'permissions'))
    await writeFile(join(folder, 'permissions/grants.json'), text)
    const troubles: string[] = []
    const grants = storedGrants({ folder, onTrouble: (trouble) => troubles.push(trouble) })
    expect(await grants.load()).toEqual([])
    expect(await grants.load()).toEqual([])
    expect(troubles).toEqual([expect.stringContaining('is damaged, so its rules no longer apply')])
    const [aside = '', ...others] = await readdir(join(folder, 'permissions'))
    expect([aside, others]).toEqual([expect.stringMatching(/^grants\.damaged-.*Z\.json$/), []])
    expect(await readFile(join(folder, 'permissions', aside), 'utf8')).toBe(text)
    await grants.add(grant('1'))
    expect(await storedGrants({ folder }).load()).toEqual([grant('1')])
  })

  it('are not read through a link', async () => {
    const folder = await place()
    await mkdir(join(folder, 'permissions'))
    await writeFile(join(folder, 'elsewhere.json'), JSON.stringify({ version: 1, grants: [grant('1', '*')] }))
    await symlink('../elsewhere.json', join(folder, 'permissions/grants.json'))
    const troubles: string[] = []
    expect(await storedGrants({ folder, onTrouble: (trouble) => troubles.push(trouble) }).load()).toEqual([])
    expect(troubles).toHaveLength(1)
  })

  it('come to nothing, or to grants, whatever is in the file', async () => {
    const folder = await place()
    await mkdir(join(folder, 'permissions'))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.json().map((json) => `{"version":1,"grants":${json}}`),
        ),
        async (text) => {
          await writeFile(join(folder, 'permissions/grants.json'), text)
          for (const { id, rule } of await storedGrants({ folder }).load())
            expect([typeof id, typeof rule]).toEqual(['string', 'string'])
        },
      ),
      { numRuns: 50 },
    )
  })
})

const vocabulary: RuleVocabulary = {
  tools: [{ name: 'edit_note', effects: ['writes'], plan: async () => null as never }],
}

describe('rules in a vault', () => {
  async function vaultWith(text: string | Uint8Array | undefined): Promise<string> {
    const vault = await place()
    await mkdir(join(vault, '.notewright'))
    if (text !== undefined) await writeFile(join(vault, '.notewright/permissions.json'), text)
    return vault
  }
  const read = async (vault: string, onTrouble?: (text: string) => void) =>
    parseRules([await vaultRules({ root: vault, onTrouble })], vocabulary)

  it('restrict, and never allow', async () => {
    const rules = { deny: ['reads(folder:Journal)'], ask: ['edit_note(Projects/**)'], allow: ['*'] }
    const troubles: string[] = []
    const found = await read(await vaultWith(JSON.stringify(rules)), (text) => troubles.push(text))
    expect(found.map(({ effect, text, from }) => [effect, text, from])).toEqual([
      ['deny', 'reads(folder:Journal)', 'vault'],
      ['ask', 'edit_note(Projects/**)', 'vault'],
    ])
    expect(troubles).toEqual([
      '.notewright/permissions.json: a vault can only restrict, so its 1 allow rules are ignored.',
    ])
  })

  it('are none where there is no file', async () => {
    expect(await read(await place())).toEqual([])
    expect(await read(await vaultWith(undefined))).toEqual([])
    expect(await read(await vaultWith('\uFEFF{}'))).toEqual([])
  })

  it('are read in UTF-16, and a failure in what is no text', async () => {
    const rules = '\uFEFF{"deny": ["reads(folder:Journal)"]}'
    const bytes = () => Buffer.from(rules, 'utf16le')
    for (const text of [bytes(), bytes().swap16(), bytes().subarray(2)]) {
      expect((await read(await vaultWith(text))).map(({ text }) => text)).toEqual(['reads(folder:Journal)'])
    }
    const latin = Buffer.from('{"deny": ["reads(folder:Tagebücher)"]}', 'latin1')
    await expect(read(await vaultWith(latin))).rejects.toThrow('it is neither UTF-8 nor UTF-16 text')
  })

  it.each([
    ['{', 'not valid JSON'],
    ['[]', 'expected an object'],
    ['{"deny": "reads"}', 'deny must be a list'],
    ['{"dney": []}', 'unknown list "dney"'],
    ['{"deny": ["edit_nots"]}', 'unknown tool or effect "edit_nots"'],
    ['{"deny": ["allow: edit_note"]}', 'it is in a list of deny rules'],
    [JSON.stringify({ ask: Array(1001).fill('reads') }), 'more than 1000 rules'],
    [' '.repeat(70_000), 'more than 65536 bytes'],
  ])('that cannot be understood are a failure: %.30s', async (text, why) => {
    const failure = await read(await vaultWith(text)).catch((error) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure.message).toContain(`.notewright/permissions.json: `)
    expect(failure.message).toContain(why)
  })

  it('are not read through links, nor from anything but a file', async () => {
    const elsewhere = await vaultWith('{"deny":["reads"]}')
    const linkedFolder = await place()
    await symlink(join(elsewhere, '.notewright'), join(linkedFolder, '.notewright'))
    await expect(read(linkedFolder)).rejects.toThrow('.notewright is not a folder')
    const linkedFile = await vaultWith(undefined)
    await symlink(join(elsewhere, '.notewright/permissions.json'), join(linkedFile, '.notewright/permissions.json'))
    await expect(read(linkedFile)).rejects.toThrow('it is not a regular file')
    const folder = await vaultWith(undefined)
    await mkdir(join(folder, '.notewright/permissions.json'))
    await expect(read(folder)).rejects.toThrow('it is not a regular file')
  })
})
