import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AddressedAnswer, Question } from '../../core/approval/index.js'
import type { NotePath } from '../../core/vault/index.js'
import { clientTaint, sharedApprovals } from './approvals.js'
import { openDriver } from './sqlite.js'
import { vaultState } from './state-database.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notewright-approvals-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const panel = (id: string, more: Partial<Question> = {}): Question => ({
  kind: 'question',
  id,
  hash: `hash of ${id}`,
  session: 'mcp-editor@3f9a1c-00000000',
  createdAt: 0,
  expiresAt: Date.now() + 600_000,
  from: 'a server',
  message: 'Which one?',
  form: { type: 'object', properties: {} },
  ...more,
})
const reply = (id: string, more: object = {}): AddressedAnswer => ({
  verdict: 'deny',
  hash: `hash of ${id}`,
  session: 'mcp-editor@3f9a1c-00000000',
  ...more,
})
/** One process on the vault; two of them have a handle each. */
const queue = () => sharedApprovals({ state: vaultState(folder), lookMs: 5 })

describe('the approval queue of a vault', () => {
  it('shows a request to every process, and delivers its answer to the one that waits', async () => {
    const [waiting, other] = [queue(), queue()]
    const answers: AddressedAnswer[] = []
    const remove = waiting.add(panel('one'), (answer) => answers.push(answer))
    expect(other.list()).toMatchObject([{ panel: { id: 'one' }, isOwn: false }])
    expect(waiting.list()).toMatchObject([{ isOwn: true }])
    expect(other.answer('one', reply('one'))).toEqual({ ok: true })
    await vi.waitFor(() => expect(answers).toContainEqual(reply('one')))
    remove()
    expect(other.list()).toEqual([])
    expect(other.answer('one', reply('one'))).toMatchObject({ ok: false, reason: 'unknown' })
    waiting.close()
  })

  it.each([
    ['for another text than was shown', reply('one', { hash: 'another' }), 'wrong-hash'],
    ['of another session', reply('one', { session: 'other' }), 'other-session'],
    ['that the request cannot have', reply('one', { verdict: 'allow', values: { made: 'up' } }), 'invalid'],
  ])('refuses an answer %s', (_, answer, reason) => {
    const [waiting, other] = [queue(), queue()]
    waiting.add(panel('one'), () => expect.unreachable())
    expect(other.answer('one', answer)).toMatchObject({ ok: false, reason })
    expect(other.list()).toHaveLength(1)
    waiting.close()
  })

  it('accepts one answer, and forgets an expired request', () => {
    const [waiting, other] = [queue(), queue()]
    waiting.add(panel('one'), () => {})
    waiting.add(panel('old', { expiresAt: 1 }), () => {})
    expect(other.answer('one', reply('one')).ok).toBe(true)
    expect(other.answer('one', reply('one')).ok).toBe(false)
    expect(other.answer('old', reply('old')).ok).toBe(false)
    waiting.close()
  })

  it('forgets the request of a process that was killed', async () => {
    const waiting = queue()
    waiting.add(panel('one'), () => {})
    const child = spawn(process.execPath, ['-e', ''])
    await new Promise((resolve) => child.once('exit', resolve))
    const driver = openDriver(join(folder, 'state.db'))
    driver.run("UPDATE approval_requests SET holder = json_set(holder, '$.pid', ?)", [child.pid!])
    driver.close()
    expect(queue().list()).toEqual([])
    expect(queue().answer('one', reply('one'))).toMatchObject({ ok: false })
    waiting.close()
  })
})

describe('the stored taint of a client', () => {
  it('is known to every process for at least a day, and to no other client', () => {
    let time = 1_000_000
    const of = (client: string) => clientTaint(vaultState(folder), client, () => time)
    const first = of('editor@3f9a1c')
    const open = of('editor@3f9a1c')
    expect(open.isEmpty()).toBe(true)
    first.observe(['own-note'], ['Home.md' as NotePath])
    expect(open.hasNotes()).toBe(true)
    expect(open.notes()).toEqual(['Home.md'])
    time += 24 * 60 * 60_000
    open.observe(['web'], [])
    expect(of('editor@3f9a1c').isTainted()).toBe(true)
    for (const other of ['editor', 'editor@3f9a1', 'Editor@3f9a1c', 'editor@3f9a1cc'])
      expect(of(other).isEmpty()).toBe(true)
    time += 30 * 24 * 60 * 60_000
    expect(of('editor@3f9a1c').isEmpty()).toBe(true)
  })
})
