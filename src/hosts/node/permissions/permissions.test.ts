import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KeptGrant, parseRules, type RuleVocabulary } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import { fileGrants, vaultRules } from './index.js'

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

const grant = (id: string, rule = `edit_note(${id}.md)`): KeptGrant => ({
  id,
  rule,
  createdAt: '2026-01-01T00:00:00.000Z',
})

describe('grants in a file', () => {
  it('are there for the next process, readable, and for its owner alone', async () => {
    const folder = await place()
    expect(await fileGrants({ folder }).load()).toEqual([])
    await fileGrants({ folder }).add({ ...grant('1'), about: 'Edit note' })
    expect(await fileGrants({ folder }).load()).toEqual([{ ...grant('1'), about: 'Edit note' }])
    const file = join(folder, 'permissions/grants.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      version: 1,
      grants: [{ ...grant('1'), about: 'Edit note' }],
    })
    expect(await readdir(join(folder, 'permissions'))).toEqual(['grants.json'])
  })

  it('are revoked everywhere at once', async () => {
    const folder = await place()
    const [one, other] = [fileGrants({ folder }), fileGrants({ folder })]
    await one.add(grant('1'))
    await one.add(grant('2'))
    expect(await other.load()).toHaveLength(2)
    expect(await one.revoke('1')).toBe(true)
    expect(await one.revoke('1')).toBe(false)
    expect(await other.load()).toEqual([grant('2')])
  })

  it('keep one grant for one rule', async () => {
    const grants = fileGrants({ folder: await place() })
    await grants.add(grant('1', 'edit_note'))
    await grants.add(grant('2', 'edit_note'))
    expect(await grants.load()).toEqual([grant('2', 'edit_note')])
  })

  it('lose nothing when several write at once', async () => {
    const folder = await place()
    await Promise.all(Array.from({ length: 12 }, (_, at) => fileGrants({ folder }).add(grant(`${at}`))))
    expect((await fileGrants({ folder }).load()).map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual([
      ...Array(12).keys(),
    ])
  })

  it.each([
    ['half a file', '{"version":1,"grants":[{"id":"1"'],
    ['another version', '{"version":2,"grants":[]}'],
    ['a grant without a rule', '{"version":1,"grants":[{"id":"1","createdAt":"x"}]}'],
    ['not an object', 'null'],
    ['nothing', ''],
    ['far too much', ' '.repeat((1 << 20) + 1)],
  ])('allow nothing when damaged (%s): the file is put aside and the person told', async (_name, text) => {
    const folder = await place()
    await mkdir(join(folder, 'permissions'))
    await writeFile(join(folder, 'permissions/grants.json'), text)
    const troubles: string[] = []
    const grants = fileGrants({ folder, onTrouble: (trouble) => troubles.push(trouble), now: () => 0 })
    expect(await grants.load()).toEqual([])
    expect(await grants.load()).toEqual([])
    expect(troubles).toEqual([expect.stringContaining('is damaged, so nothing in it is allowed')])
    const aside = 'grants.damaged-1970-01-01T00-00-00-000Z.json'
    expect(await readFile(join(folder, 'permissions', aside), 'utf8')).toBe(text)
    await grants.add(grant('1'))
    expect(await fileGrants({ folder }).load()).toEqual([grant('1')])
  })

  it('are not read through a link', async () => {
    const folder = await place()
    await mkdir(join(folder, 'permissions'))
    await writeFile(join(folder, 'elsewhere.json'), JSON.stringify({ version: 1, grants: [grant('1', '*')] }))
    await symlink('../elsewhere.json', join(folder, 'permissions/grants.json'))
    const troubles: string[] = []
    expect(await fileGrants({ folder, onTrouble: (trouble) => troubles.push(trouble) }).load()).toEqual([])
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
          for (const { id, rule } of await fileGrants({ folder }).load())
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
      '.notewright/permissions.json: a vault can only restrict, so its list of allow rules (1) was left out.',
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
    ['{"deny": ["allow: edit_note"]}', 'it stands in a list of deny rules'],
    [JSON.stringify({ ask: Array(1001).fill('reads') }), 'more than 1000 rules'],
    [' '.repeat(70_000), 'more than 65536 bytes'],
  ])('that cannot be understood are a failure: %.30s', async (text, why) => {
    const failure = await read(await vaultWith(text)).catch((error) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure.message).toContain(`.notewright/permissions.json: `)
    expect(failure.message).toContain(why)
  })

  it('are not read through links, nor from what is not a file', async () => {
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
