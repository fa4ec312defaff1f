import type { App } from 'obsidian'
import { describe, expect, it } from 'vitest'
import type { StoredGrant } from '../../../src/core/approval/index.js'
import { openNotebook } from '../../../src/core/index/index.js'
import type { ServerTool } from '../../../src/core/mcp/index.js'
import type { Timer } from '../../../src/core/tools/index.js'
import { changeSet, hashBytes, notePath } from '../../../src/core/vault/index.js'
import { indexedDbLog } from '../../../src/hosts/obsidian/call-log.js'
import { indexedDbStore } from '../../../src/hosts/obsidian/index-store.js'
import { indexedDbSessions } from '../../../src/hosts/obsidian/session-store.js'
import {
  databaseDialects,
  databaseGrants,
  databaseSeenTools,
  databaseTimers,
  databaseTrust,
  openState,
} from '../../../src/hosts/obsidian/stored-values.js'
import { obsidianVault } from '../../../src/hosts/obsidian/vault/obsidian-vault.js'
import { VaultFiles } from '../../../src/hosts/obsidian/vault/vault-files.js'
import { begin, end, entry } from '../../contracts/session-store/entries.js'
import type { App as HostApp } from '../app/app.js'
import { runRegistered } from './vitest.js'

const here = globalThis as unknown as {
  host: { app: HostApp; open(vault: string, options?: object): Promise<void> }
  runContracts: typeof runRegistered
}

describe('the log in IndexedDB', () => {
  it('drops only the oldest calls beyond its size limit', async () => {
    const database = await openState('log-1')
    const log = indexedDbLog(database, { redact: (value) => value, maxBytes: () => 20_000 })
    const intent = { session: 's', turn: 't', tool_name: 'read_note', input: 'x'.repeat(500) }
    for (let at = 0; at < 128; at++) await log.intend({ ...intent, timestamp: `${at}` } as never, { durable: true })
    const kept = await log.last(1000)
    expect(kept.at(-1)?.timestamp).toBe('127')
    expect(JSON.stringify(kept).length < 22_000).toBe(true)
    expect(kept.length > 20).toBe(true)
    database.close()
  })

  it('loses the text of a deleted chat, and no row', async () => {
    const database = await openState('log-2')
    const log = indexedDbLog(database, { redact: (value) => value, maxBytes: () => 200_000 })
    const sessions = indexedDbSessions(database)
    for (const session of ['kept', 'deleted']) {
      const writer = await sessions.write(session)
      await writer.append(entry([begin('hello'), end('bye')]))
      await writer.release()
      const intent = { session, turn: 't', tool_name: 'search_notes', timestamp: '1', decision: 'allowed', rule: 'r' }
      const id = await log.intend({ ...intent, arguments: { query: `${session} words` } } as never, { durable: true })
      await log.finish(id, { result: `${session} words`, duration_ms: 3 })
      await log.finish(
        await log.intend({ ...intent, arguments: { query: `${session} words` } } as never, { durable: true }),
        {
          error: { code: 'not-found', message: `${session} words` },
        },
      )
    }
    expect(await sessions.remove('deleted')).toBe(true)
    const rows = await log.last(10)
    expect(rows.map(({ session, tool_name, duration_ms }) => [session, tool_name, duration_ms])).toEqual([
      ['kept', 'search_notes', 3],
      ['kept', 'search_notes', undefined],
      ['deleted', 'search_notes', 3],
      ['deleted', 'search_notes', undefined],
    ])
    expect(JSON.stringify(rows).includes('deleted words')).toBe(false)
    expect(JSON.stringify(rows).includes('kept words')).toBe(true)
    database.close()
  })
})

describe('small things in IndexedDB', () => {
  it('survive a restart: grants, timers, dialects, reviewed tools and trust', async () => {
    const before = await openState('kept')
    const grant = { id: 'g1', rule: 'append_note(Log.md)', createdAt: '2026-01-01T00:00:00Z' } as StoredGrant
    await databaseGrants(before).add(grant)
    await databaseTimers(before).set('tea', { startedAt: 1 } as unknown as Timer)
    await databaseTimers(before).set('bread', { startedAt: 2 } as unknown as Timer)
    await databaseTimers(before).set('bread', undefined)
    await databaseDialects(before).remember('compatible/test', 'sentinel')
    const echo = { name: 'echo', description: 'Says it.', inputSchema: { type: 'object' } } as ServerTool
    await databaseSeenTools(before).add('wiki', [echo])
    await databaseTrust(before).add({ server: 'wiki', hash: 'a' })
    await databaseTrust(before).add({ server: 'wiki', hash: 'b' })
    before.close()
    const after = await openState('kept')
    expect(await databaseGrants(after).load()).toEqual([grant])
    expect(await databaseTimers(after).get('tea')).toEqual({ startedAt: 1 })
    expect(await databaseTimers(after).get('bread')).toBe(undefined)
    expect(await databaseDialects(after).recall('compatible/test')).toBe('sentinel')
    expect([...(await databaseSeenTools(after).of('wiki')).values()]).toEqual([echo])
    expect(await databaseTrust(after).all()).toEqual([{ server: 'wiki', hash: 'b' }])
    expect(await databaseGrants(after).revoke('g1')).toBe(true)
    expect(await databaseGrants(after).load()).toEqual([])
    after.close()
    // Another vault has nothing of it.
    const other = await openState('kept-elsewhere')
    expect(await databaseDialects(other).recall('compatible/test')).toBe(undefined)
    other.close()
  })
})

describe('the vault of Obsidian', () => {
  it("uses the file's birth time as creation date, and leaves Obsidian's excluded files out of search", async () => {
    await here.host.open('born')
    const { app } = here.host
    const put = (path: string, text: string) => app.vault.disk.writeFromOutside(path, new TextEncoder().encode(text))
    await put('.obsidian/app.json', '{"userIgnoreFilters": ["Templates/"]}')
    for (const path of ['Old.md', 'New.md', 'Templates/Day.md']) await put(path, 'Compost.\n')
    await app.vault.reconcile()
    app.vault.getFileByPath('Old.md')!.stat.ctime = Date.parse('2020-05-05')
    const database = await openState('born')
    const vault = await obsidianVault(app as unknown as App, { id: 'born', database })
    const notebook = await openNotebook({ vault, store: await indexedDbStore('born-index') })
    await notebook.update({ vectors: false })
    const found = async (more: object) =>
      (await notebook.index.search({ query: 'compost', ...more })).hits.map(({ path }) => path as string).sort()
    expect(await found({})).toEqual(['New.md', 'Old.md'])
    expect(await found({ dateField: 'created', before: '2020-12-31' })).toEqual(['Old.md'])
    expect((await vault.read(notePath('Templates/Day.md')))?.text).toBe('Compost.\n')
    expect(await vault.excludedFiles?.()).toEqual(['Templates/Day.md'])
    await notebook.close()
    vault.close()
    database.close()
  })
})

describe('a note that another program writes between our last look and our write', () => {
  it('keeps what that program wrote', async () => {
    await here.host.open('between')
    const { app } = here.host
    const put = (text: string) => app.vault.disk.writeFromOutside('Log.md', new TextEncoder().encode(text))
    await put('one\n')
    await app.vault.reconcile()
    const files = new VaultFiles(app as unknown as App)
    const original = app.vault.process.bind(app.vault)
    app.vault.process = async (file, change) => {
      await put('one, by another program\n')
      return original(file, change)
    }
    const before = hashBytes(new TextEncoder().encode('one\n'))
    const refused = await files
      .replace(notePath('Log.md'), before, new TextEncoder().encode('ONE\n'))
      .catch((error: Error) => error)
    expect((refused as Error).message).toBe('Log.md has changed in the meantime. Nothing was written.')
    expect(await app.vault.adapter.read('Log.md')).toBe('one, by another program\n')
  })
})

describe('a note whose name changes only in case', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  async function vaultWith(name: string, files: Record<string, string>, foldsNames: boolean) {
    await here.host.open(name, { foldsNames })
    const { app } = here.host
    for (const [path, text] of Object.entries(files)) await app.vault.disk.writeFromOutside(path, bytes(text))
    await app.vault.reconcile()
    const names = async () => (await app.vault.adapter.list('f')).files.sort()
    return { app, names }
  }

  it('changes on a disk that ignores case, and is restored by undo', async () => {
    for (const foldsNames of [true, false]) {
      const id = `respelled-${foldsNames}`
      const { app, names } = await vaultWith(id, { 'f/Soil.md': 'Compost.\n' }, foldsNames)
      const database = await openState(id)
      const vault = await obsidianVault(app as unknown as App, { id, database })
      const move = {
        kind: 'move' as const,
        path: notePath('f/Soil.md'),
        to: notePath('f/SOIL.md'),
        before: hashBytes(bytes('Compost.\n')),
      }
      const made = await vault.apply(changeSet('Capitals', [move]))
      expect(await names()).toEqual(['f/SOIL.md'])
      expect((await vault.read(notePath('f/soil.md')))?.path).toBe('f/SOIL.md')
      await vault.apply(await vault.planUndo({ id: made.id }))
      expect(await names()).toEqual(['f/Soil.md'])
      expect((await vault.read(notePath('f/Soil.md')))?.text).toBe('Compost.\n')
      vault.close()
      database.close()
    }
  })

  it('does not replace another note with that name', async () => {
    const { app, names } = await vaultWith('respelled-twice', { 'f/Soil.md': 'mine', 'f/SOIL.md': 'theirs' }, false)
    const files = new VaultFiles(app as unknown as App)
    const refused = await files.rename(notePath('f/Soil.md'), notePath('f/SOIL.md')).catch((error: Error) => error)
    expect((refused as Error).message).toBe('A file already exists at f/SOIL.md. Nothing was written.')
    expect(await names()).toEqual(['f/SOIL.md', 'f/Soil.md'])
    expect(await app.vault.adapter.read('f/SOIL.md')).toBe('theirs')
  })
})

here.runContracts = runRegistered
