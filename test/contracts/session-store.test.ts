import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { memorySessions } from '../../src/core/session/index.js'
import { sqliteSessions } from '../../src/hosts/node/sessions/index.js'
import { describeSessionStore } from './session-store/index.js'

const folder = mkdtempSync(join(tmpdir(), 'notewright-sessions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let opened = 0

describeSessionStore('the memory store', async () => memorySessions())
describeSessionStore('the SQLite store', async () =>
  sqliteSessions({ file: join(folder, `${opened++}`, 'sessions.db') }),
)
