import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeSet, hashBytes, notePath } from '../../src/core/vault/index.js'
import { faultyFiles, nodeFiles } from '../../src/hosts/node/files/index.js'
import { folderVault } from '../../src/hosts/node/folder-vault/index.js'
import { processSurroundings, stateFolders, vaultFolders } from '../../src/hosts/node/state/index.js'
import { type Stage, stage } from './cli-harness.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

const old = '# Soup\n\nTomato soup with basil: ![[Tomatoes]]\n'
const mine = '# Soup\n\nMy own words.\n'
const meant = '# Soup\n\nTomato soup with basil: ![[Love apples]]\n'

/** A move that is killed when all but its last name is in place; then a person edits a note of it. */
async function cutOff(): Promise<string> {
  const folders = stateFolders({ ...processSurroundings(), environment: here.environment })
  const stateDir = vaultFolders(folders, here.vault).journal
  const files = faultyFiles(nodeFiles)
  const vault = await folderVault({ root: here.vault, stateDir, files })
  const hash = async (path: string) => hashBytes(new TextEncoder().encode(await here.read(path)))
  const from = 'Garden/Tomatoes.md'
  const set = changeSet('Move Tomatoes to Love apples', [
    { kind: 'move', path: notePath(from), to: notePath('Garden/Love apples.md'), before: await hash(from) },
    {
      kind: 'edit',
      path: notePath('Kitchen/Soup.md'),
      before: await hash('Kitchen/Soup.md'),
      after: Buffer.from(meant),
    },
  ])
  // The lock has taken two of these calls; then come the second name of the moved note, three for the soup, the first name.
  files.fail({ at: 7, how: 'crash', only: ['link', 'rename', 'remove'] })
  await expect(vault.apply(set)).rejects.toThrow()
  await rm(join(stateDir, 'lock'), { force: true })
  await here.write('Kitchen/Soup.md', mine)
  return set.id
}

describe('a change that was cut off, with a note of it edited meanwhile', () => {
  it('is named with its notes by status, history, doctor and the next answer, and refuses to be undone', async () => {
    const id = await cutOff()
    const started = performance.now()
    const status = await here.run(['status', '--vault', here.vault])
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(status.stdout.replace(/\s+/g, ' ')).toContain('someone else had changed Kitchen/Soup.md')
    expect((await here.json('status')).value).toMatchObject({ unsettled: [{ id, notes: ['Kitchen/Soup.md'] }] })
    expect((await here.run(['history', '--vault', here.vault])).stdout).toContain('Kitchen/Soup.md: notewright settle')
    expect((await here.json('doctor')).value.checks).toContainEqual(
      expect.objectContaining({ check: 'Changes', state: 'warn', text: expect.stringContaining('Kitchen/Soup.md') }),
    )
    const { value } = await here.json('ask', 'What climbs poles?', '-m', 'offline')
    expect(value).toMatchObject({ notices: [expect.stringContaining('Kitchen/Soup.md')] })
    const undo = await here.json('undo', id, '--yes')
    expect(undo.value).toMatchObject({ code: 'conflict', text: expect.stringContaining('Kitchen/Soup.md') })
    expect(await here.read('Kitchen/Soup.md')).toBe(mine)
    expect(await here.read('Garden/Love apples.md')).toContain('# Tomatoes')
  })

  it('is settled each way, and each way can be undone', async () => {
    const id = await cutOff()
    const listed = await here.json('settle')
    expect(listed.value).toMatchObject({ unsettled: [{ id, went: 'finished', notes: ['Kitchen/Soup.md'] }] })

    const back = await here.json('settle', '--take-back', 'Kitchen/Soup.md', '--yes')
    expect(await here.read('Kitchen/Soup.md')).toBe(old)
    await here.json('undo', back.value.id, '--yes')
    expect(await here.read('Kitchen/Soup.md')).toBe(mine)

    const finished = await here.json('settle', id, '--finish', 'Kitchen/Soup.md', '--yes')
    expect(await here.read('Kitchen/Soup.md')).toBe(meant)
    await here.json('undo', finished.value.id, '--yes')

    await here.json('settle', '--keep', 'Kitchen/Soup.md')
    expect(await here.read('Kitchen/Soup.md')).toBe(mine)
    expect((await here.json('settle')).value).toMatchObject({ unsettled: [] })
    const unknown = await here.json('settle', '--keep', 'Kitchen/Soup.md')
    expect(unknown.value).toMatchObject({
      code: 'not-found',
      text: 'There is nothing to settle about Kitchen/Soup.md.',
    })
  })

  it('leaves temporary files that are recognised: unknown ones are named, known ones cleaned', async () => {
    const stray = `.notewright-${crypto.randomUUID()}-0.new.tmp`
    await here.write(stray, 'from another machine')
    expect((await here.run(['status', '--vault', here.vault])).stdout).toContain(stray)
    expect((await here.json('settle')).value).toMatchObject({ strayFiles: [stray] })
    expect(await here.read(stray)).toBe('from another machine')
  })
})
