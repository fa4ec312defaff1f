import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { memoryStore } from '../../src/core/index/memory-store.js'
import { sqliteStore } from '../../src/hosts/node/sqlite-store/sqlite-store.js'
import { describeIndexStore } from './index-store/index.js'

const folder = mkdtempSync(join(tmpdir(), 'notewright-store-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let opened = 0

describeIndexStore('the memory store', async () => memoryStore())
describeIndexStore('the SQLite store', () => sqliteStore({ file: join(folder, `${opened++}`, 'index.db') }))
