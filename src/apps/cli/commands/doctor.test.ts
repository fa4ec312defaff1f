import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configSchema } from '../../../core/config/index.js'
import {
  checkExclusions,
  checkJournal,
  checkNode,
  checkPermissions,
  checkServe,
  checkVault,
  listeningPorts,
} from './doctor.js'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'notewright-doctor-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

it.each([
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
  ['20.18.9', 'fail'],
  ['18.20.0', 'fail'],
])('finds Node.js %s %s', (version, state) => expect(checkNode(version).state).toBe(state))

describe('the vault', () => {
  it('can be used when it can be read and written', async () => {
    expect(await checkVault(root, '--vault')).toMatchObject({ state: 'ok' })
    expect(await checkVault(join(root, 'gone'), '--vault')).toMatchObject({ state: 'fail' })
  })

  it('has exclusions whose patterns and hidden files are counted', async () => {
    await mkdir(join(root, 'Journal'))
    for (const file of ['a.md', 'Journal/b.md', 'Journal/c.md', '.hidden.md']) await writeFile(join(root, file), '')
    expect((await checkExclusions(root, configSchema.parse({}), 3)).text).toContain('none')
    await writeFile(join(root, '.notewrightignore'), '# mine\n\nJournal/\n')
    const { text } = await checkExclusions(root, configSchema.parse({ exclude: ['*.draft.md'] }), 1)
    expect(text).toBe('1 pattern in .notewrightignore, 1 pattern in the configuration: 2 files hidden')
  })
})

describe('the server', () => {
  const serveOn = (port: number) => configSchema.parse({ serve: { port } })

  it('has a port that is free or taken', async () => {
    const other = createServer()
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as AddressInfo).port))
    })
    expect((await checkServe(serveOn(port), root))[0]).toMatchObject({
      state: 'warn',
      text: expect.stringContaining('in use'),
    })
    await new Promise((resolve) => other.close(resolve))
    expect((await checkServe(serveOn(port), root))[0]).toMatchObject({ state: 'ok' })
  })

  it('has keys in a folder that only its owner can read', async () => {
    const keys = async () => (await checkServe(serveOn(0), root))[1]
    expect(await keys()).toMatchObject({ state: 'ok', text: expect.stringContaining('created at the first start') })
    await mkdir(join(root, 'serve'), { mode: 0o700 })
    expect(await keys()).toMatchObject({ state: 'ok', text: expect.stringContaining('0 active') })
    await chmod(join(root, 'serve'), 0o755)
    expect(await keys()).toMatchObject({ state: 'fail', advice: expect.stringContaining('chmod 700') })
  })
})

describe('stored files', () => {
  it('is measured, also before it exists', async () => {
    const config = configSchema.parse({ journal: { megabytes: 1 } })
    expect((await checkJournal(join(root, 'not', 'yet'), config)).text).toMatch(
      /^0 bytes of 1\.0 MB, keeps 30 days and at least 200 changes/,
    )
    await writeFile(join(root, 'rows'), 'x'.repeat(2000))
    expect((await checkJournal(root, config)).text).toMatch(/^2\.0 kB of 1\.0 MB/)
  })

  it('must be for its owner alone', async () => {
    await chmod(root, 0o700)
    await writeFile(join(root, 'config.json'), '{}', { mode: 0o600 })
    expect(await checkPermissions([root])).toMatchObject({
      state: 'ok',
      text: '2 files and folders, readable only by you',
    })
    await chmod(join(root, 'config.json'), 0o644)
    expect(await checkPermissions([root])).toMatchObject({
      state: 'warn',
      text: `${root}/config.json can be read by other users`,
      advice: `chmod -R go-rwx '${root}'`,
    })
  })
})

it('reads listening ports from the table of the kernel, and no others', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue
   0: 0100007F:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0
   1: 0100007F:04D2 0100007F:A001 01 00000000:00000000 00:00000000 00000000     0
   2: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000`
  expect(listeningPorts(table)).toEqual(new Set([11434, 8080]))
})
