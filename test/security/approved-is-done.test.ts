import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApprovalRequest } from '../../src/core/approval/index.js'
import { type ProposedCall, runTool, type ToolSetup } from '../../src/core/tools/index.js'
import { type Change, changeSet, notePath } from '../../src/core/vault/index.js'
import { folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { howOften } from '../runner/how-often.js'
import { type Floor, fastScratchFolder, openFloor, sha256, treeHash, treeOf } from './floor.js'
import { toolFloor } from './tools/tool-floor.js'

const start: Record<string, string> = {
  'Note.md': '---\nstatus: draft\n---\n# Note\n\nFirst line.\n\nSecond line.\n',
  'Linking.md': 'See [[Note]] and [[Note#Note|it]].\n',
  'Other.md': 'Another note.\n',
}

/** Every way to write. */
const calls: [tool: string, input: Record<string, unknown>][] = [
  ['write_note', { path: 'New.md', content: 'new\n' }],
  ['write_note', { path: 'Note.md', content: 'all new\n' }],
  ['edit_note', { path: 'Note.md', old_text: 'First line.', new_text: 'First sentence.' }],
  ['append_note', { path: 'Note.md', content: 'appended' }],
  ['append_note', { path: 'Note.md', content: 'appended', heading: 'Note' }],
  ['update_frontmatter', { path: 'Note.md', updates: { status: 'done' } }],
  ['change_notes', { paths: ['Note.md'], operations: [{ op: 'replace_text', find: 'First', replace: 'Second' }] }],
  ['rename_note', { path: 'Note.md', new_path: 'New.md' }],
  ['delete_note', { path: 'Note.md' }],
]

/** Changes to the folder by others; each leaves a mark that must not get lost. */
const changers: Record<string, (vault: string) => void> = {
  'an editor saves the note': (vault) => writeFileSync(join(vault, 'Note.md'), 'SAVED BY A PERSON\n'),
  'a sync client removes the note': (vault) => rmSync(join(vault, 'Note.md'), { force: true }),
  'someone makes the new note': (vault) => writeFileSync(join(vault, 'New.md'), 'MADE BY A PERSON\n'),
  'someone changes the note that links': (vault) =>
    writeFileSync(join(vault, 'Linking.md'), 'CHANGED BY A PERSON [[Note]]\n'),
  'someone changes another note': (vault) => writeFileSync(join(vault, 'Other.md'), 'CHANGED BY A PERSON\n'),
  nobody: () => {},
}

/** Code that changes the call itself, wherever it can reach it. */
const meddlers: Record<string, (at: Handles) => void> = {
  'the arguments': ({ input }) => Object.assign(input, { path: 'Other.md', content: 'FORGED', new_text: 'FORGED' }),
  'the call': ({ call }) => Object.assign(call, { name: 'delete_note', input: { path: 'Other.md' } }),
  'the request': ({ request }) =>
    request && Object.assign(request, { input: { path: 'Other.md' }, hash: '', changes: [], notes: [] }),
  'the planned place': ({ proposed }) => {
    for (const change of proposed?.plan?.changes.changes ?? []) Object.assign(change, { path: notePath('Other.md') })
  },
  'the planned bytes': ({ proposed }) => {
    for (const change of (proposed?.plan?.changes.changes ?? []) as { after?: Uint8Array; added?: Uint8Array }[]) {
      change.after?.fill(70)
      change.added?.fill(70)
    }
  },
  'the planned base': ({ proposed }) => {
    for (const change of proposed?.plan?.changes.changes ?? []) Object.assign(change, { before: '0'.repeat(64) })
  },
  'the planned set': ({ proposed }) => {
    ;(proposed?.plan?.changes.changes as Change[] | undefined)?.push({
      kind: 'create',
      path: notePath('Forged.md'),
      after: Buffer.from('FORGED'),
    })
  },
  nothing: () => {},
}

interface Handles {
  input: Record<string, unknown>
  call: Record<string, unknown>
  request?: ApprovalRequest
  proposed?: ProposedCall
}

type Write = (note: string, other: string, at: number) => [tool: string, input: Record<string, unknown>]

const writes: Write[] = [
  (_note, _other, at) => ['write_note', { path: `Made ${at}.md`, content: `made ${at} [[Note]]\n` }],
  (note, _other, at) => ['write_note', { path: note, content: `overwritten ${at}\n` }],
  (note, _other, at) => ['append_note', { path: note, content: `line ${at}` }],
  (note) => ['edit_note', { path: note, old_text: 'e', new_text: 'E' }],
  (note, _other, at) => ['update_frontmatter', { path: note, updates: { number: at } }],
  (note, _other, at) => ['rename_note', { path: note, new_path: `Folder ${at}/${note}` }],
  (note, other) => ['rename_note', { path: note, new_path: other }],
  (note) => ['delete_note', { path: note }],
  (_note, _other, at) => ['create_daily_note', { content: `day ${at}` }],
]

const moments = ['while the person looks', 'once they said yes', 'just before it is written'] as const

let base: string
let floor: Floor
beforeAll(async () => {
  base = fastScratchFolder()
  floor = await openFloor(base, start)
})
afterAll(async () => {
  await floor.notebook.close()
  rmSync(base, { recursive: true, force: true })
})

async function reset(): Promise<Map<string, string>> {
  for (const path of treeOf(floor.vault).keys()) rmSync(join(floor.vault, path))
  for (const [path, text] of Object.entries(start)) floor.put(path, text)
  await floor.notebook.update({ vectors: false })
  return treeOf(floor.vault)
}

describe('an approved call', () => {
  it('happens as approved or not at all, whoever changes a note, the call or the plan at any time', async () => {
    const runs = howOften(150, 1000)
    let [done, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...calls),
        fc.constantFrom(...Object.keys(changers)),
        fc.constantFrom(...Object.keys(meddlers)),
        fc.constantFrom(...moments),
        fc.constantFrom(...moments),
        async ([tool, given], changer, meddler, changedAt, meddledAt) => {
          const before = await reset()
          const handles: Handles = { input: structuredClone(given), call: {} }
          const events: string[] = []
          let planned: PlannedStep[] = []
          const at = (moment: (typeof moments)[number]) => {
            if (changedAt === moment) changers[changer](floor.vault)
            // Code that can change the writer's own data could also write directly.
            if (meddledAt === moment && moment !== 'just before it is written') meddlers[meddler](handles)
            events.push(moment)
          }
          const answer = (request: ApprovalRequest) => {
            handles.request = request
            // Nothing is created before consent.
            expect(treeOf(floor.vault)).toEqual(before)
            at('while the person looks')
            return { verdict: 'allow', scope: 'once' } as const
          }
          const { setup, shown } = await toolFloor(floor, { answer })
          const watched: ToolSetup = {
            ...setup,
            onStep(step) {
              if (step.step === 'proposed') {
                handles.proposed = step.proposed
                planned = stepsOf(step.proposed)
              }
              if (step.step === 'decided') at('once they said yes')
            },
            async apply(changes) {
              at('just before it is written')
              return setup.apply(changes)
            },
          }
          Object.assign(handles.call, { id: 'call', name: tool, input: handles.input })
          const result = await runTool(handles.call as never, watched)
          expect(shown).toHaveLength(1)

          // The world without us: what was there, and what the other one did to it.
          const others = new Map(before)
          if (events.includes(changedAt)) applyChanger(changer, others)
          if (!result.ok) {
            refused++
            expect(result.code).toMatch(/^(?:conflict|not-found)$/)
            expect(treeOf(floor.vault)).toEqual(others)
          } else {
            done++
            const now = treeOf(floor.vault)
            expect(now).toEqual(applySteps(planned, others, now))
          }
          expect(JSON.stringify([...treeOf(floor.vault).keys()])).not.toContain('Forged')
        },
      ),
      { numRuns: runs },
    )
    expect(done).toBeGreaterThan(runs / 10)
    expect(refused).toBeGreaterThan(runs / 10)
  }, 300_000)

  it('loses no acknowledged line while another process keeps adding lines', async () => {
    const stateDir = floor.notebook.stateDir
    const other = await folderVault({ root: floor.vault, stateDir })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...calls.filter(([tool]) => !['rename_note', 'delete_note'].includes(tool))),
        fc.integer({ min: 0, max: 12 }),
        async ([tool, input], delay) => {
          await reset()
          const acknowledged: string[] = []
          let isOver = false
          let appending: Promise<void> = Promise.resolve()
          const append = async () => {
            for (let line = 1; !isOver && line < 4; line++) {
              const text = `\nLINE${line}-${delay}`
              const added = Buffer.from(text)
              await other.apply(changeSet('Append', [{ kind: 'append', path: notePath('Note.md'), added }]))
              acknowledged.push(text)
            }
          }
          const answer = async () => {
            appending = append()
            for (let turn = 0; turn < delay; turn++) await new Promise((resume) => setImmediate(resume))
            return { verdict: 'allow', scope: 'once' } as const
          }
          const { call } = await toolFloor(floor, { answer })
          const result = await call(tool, input)
          isOver = true
          await appending
          if (!result.ok) expect(result.code).toBe('conflict')
          const text = floor.bytes('Note.md').toString()
          for (const line of acknowledged) expect(text.split(line)).toHaveLength(2)
        },
      ),
      { numRuns: howOften(40, 200) },
    )
  }, 300_000)
})

describe("undo of a tool's changes", () => {
  const step = fc.record({
    call: fc.nat({ max: writes.length - 1 }),
    note: fc.nat({ max: 5 }),
    other: fc.nat({ max: 5 }),
  })

  it.each(['one by one, the newest first', 'by session, the newest first', 'all of one session at once'])(
    '%s: restores every byte',
    async (how) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          await reset()
          const before = treeHash(floor.vault)
          const ids: string[] = []
          const sessions = how === 'all of one session at once' ? ['a'] : ['a', 'b']
          const nonce = crypto.randomUUID()
          for (const [at, { call, note, other }] of steps.entries()) {
            const session = `${nonce} ${sessions[Math.floor((at * sessions.length) / steps.length)]}`
            const own = await toolFloor(floor, { level: 'auto', session })
            const notes = (await floor.notebook.vault.files()).map(({ path }) => path)
            if (notes.length === 0) break
            const [tool, input] = writes[call](notes[note % notes.length], notes[other % notes.length], at)
            const result = await own.call(tool, input)
            if (result.ok && result.changeSet) ids.push(result.changeSet.id)
          }
          const undo = async (which: { id: string } | { session: string }) =>
            floor.notebook.apply(await floor.notebook.planUndo(which))
          if (how.startsWith('one by one')) for (const id of ids.reverse()) await undo({ id })
          else {
            for (const session of [...sessions].reverse()) {
              const entries = await floor.notebook.history({ session: `${nonce} ${session}` })
              if (entries.length > 0) await undo({ session: `${nonce} ${session}` })
            }
          }
          expect(treeHash(floor.vault)).toBe(before)
        }),
        { numRuns: howOften(10, 40) },
      )
    },
    300_000,
  )
})

interface PlannedStep {
  change: Change
  /** A copy, made before anyone could get at it. */
  bytes?: Buffer
}

function stepsOf({ plan }: ProposedCall): PlannedStep[] {
  return plan!.changes.changes.map((change) => {
    const bytes = 'after' in change ? change.after : 'added' in change ? change.added : undefined
    return { change: { ...change }, ...(bytes && { bytes: Buffer.from(bytes) }) }
  })
}

function applyChanger(name: string, tree: Map<string, string>): void {
  const scratch = fastScratchFolder()
  try {
    for (const [path, text] of Object.entries(start)) writeFileSync(join(scratch, path), text)
    changers[name](scratch)
    tree.clear()
    for (const [path, hash] of treeOf(scratch)) tree.set(path, hash)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Returns the expected folder after the planned steps, given the changes of others. */
function applySteps(steps: PlannedStep[], others: Map<string, string>, now: Map<string, string>): Map<string, string> {
  const tree = new Map(others)
  for (const { change, bytes } of steps) {
    const { kind, path } = change
    if (kind === 'create' || kind === 'edit') tree.set(path, sha256(bytes!))
    else if (kind === 'append') {
      // It lands after whatever is there: the end is what was approved, the beginning what the others left.
      const whole = floor.bytes(path)
      expect(whole.subarray(-bytes!.length)).toEqual(bytes)
      expect(sha256(whole.subarray(0, -bytes!.length))).toBe(tree.get(path) ?? sha256(''))
      tree.set(path, sha256(whole))
    } else if (kind === 'move') {
      tree.set(change.to, tree.get(path)!)
      tree.delete(path)
    } else {
      tree.set(`.trash/${path}`, tree.get(path)!)
      tree.delete(path)
    }
  }
  expect([...now.keys()].length).toBe(tree.size)
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)))
}
