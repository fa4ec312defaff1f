import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { vaultSessions } from '../../src/hosts/node/sessions.js'
import { memorySessions } from '../doubles/memory-sessions.js'
import { describeSessionStore } from './session-store/index.js'

const folder = mkdtempSync(join(tmpdir(), 'notewright-sessions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let opened = 0

describeSessionStore('the memory store', async () => memorySessions())
describeSessionStore('the SQLite store', async () => vaultSessions(join(folder, `${opened++}`)))
