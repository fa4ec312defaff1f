import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ApprovalAnswer, ApprovalRequest, AskUser } from '../../../src/core/approval/index.js'
import { runTool, type ToolResult } from '../../../src/core/tools/index.js'
import { treeHash } from '../floor.js'
import { type CaseChecks, type Check, quoted, shown } from '../security-case.js'
import { linksThatCome } from './links-that-come.js'
import { type ToolFloor, type ToolOptions, withTools } from './tool-floor.js'

const yes = { verdict: 'allow', scope: 'once' } as const

/** The approval cases as far as the core decides them; what a terminal shows is in `test/e2e/terminal-cases.ts`. */
export const approvalCases: CaseChecks = {
  A08: linksThatCome,
  A01: ({ setup, action }) => {
    const [path] = quoted(setup, 'path')
    const [content] = quoted(setup, 'content')
    const [otherPath, otherContent] = quoted(action)
    const original = () => ({ path, content })
    const approvedWhile = (name: string, meddle: (call: Meddling) => void): Check => ({
      name: `${name} between approval and execution: what was approved happens, or nothing`,
      run: async () => {
        const input = original()
        const meddling: Meddling = { input, proposed: [] }
        const answer = (request: ApprovalRequest) => {
          meddle({ ...meddling, request })
          return yes
        }
        await withTools({}, { answer }, async (floor) => {
          const onStep: typeof floor.setup.onStep = (step) => {
            if (step.step === 'proposed') meddling.proposed.push(step.proposed)
          }
          const call = { id: '1', name: 'write_note', input }
          meddling.call = call
          const result = await runTool(call, { ...floor.setup, onStep })
          expect(floor.shown).toHaveLength(1)
          const names = (await floor.notebook.vault.files()).map((file) => file.path)
          if (result.ok) {
            expect(names).toEqual([path])
            expect(floor.bytes(path).toString()).toBe(content)
          } else {
            expect(result.code).toBe('conflict')
            expect(names).toEqual([])
          }
        })
      },
    })
    return [
      approvedWhile('the path in the arguments object changes', ({ input }) =>
        Object.assign(input, { path: otherPath }),
      ),
      approvedWhile('the content in the arguments object changes', ({ input }) =>
        Object.assign(input, { content: otherContent }),
      ),
      approvedWhile('the call gets another tool and arguments', ({ call }) =>
        Object.assign(call!, { name: 'delete_note', input: { path: otherPath } }),
      ),
      approvedWhile('the request that was shown changes', ({ request }) =>
        Object.assign(request!, { input: { path: otherPath, content: otherContent }, hash: '0'.repeat(64) }),
      ),
      approvedWhile('the planned path changes', ({ proposed }) =>
        Object.assign(proposed[0].plan!.changes.changes[0], { path: otherPath }),
      ),
      approvedWhile('the planned bytes change', ({ proposed }) => {
        const [change] = proposed[0].plan!.changes.changes
        if ('after' in change) change.after[0] = otherContent.charCodeAt(0)
      }),
      approvedWhile('the input of the proposal is replaced', ({ proposed }) =>
        Object.assign(proposed[0], { input: { path: otherPath, content: otherContent } }),
      ),
      {
        name: 'the binding differs by tool, arguments, base, session and call; and an answer fits one request once',
        run: () =>
          withTools({ 'Base.md': 'one' }, { answer: 'no' }, async (floor) => {
            const hashOf = async (name: string, input: unknown, more = {}) => {
              await floor.call(name, input, { id: 'same', ...more })
              return (floor.shown.at(-1) as ApprovalRequest).hash
            }
            const hashes = [
              await hashOf('append_note', { path: 'Base.md', content: 'x' }),
              await hashOf('append_note', { path: 'Base.md', content: 'y' }),
              await hashOf('write_note', { path: 'Base.md', content: 'x' }),
              await hashOf('write_note', { path: 'Base.md', content: 'x' }, { id: 'another' }),
            ]
            floor.put('Base.md', 'two')
            hashes.push(await hashOf('write_note', { path: 'Base.md', content: 'x' }))
            expect(new Set(hashes).size).toBe(hashes.length)
            const { id, hash, session } = floor.shown.at(-1) as ApprovalRequest
            const { approvalQueue: desk } = floor.opened
            expect(desk.answer(id, { ...yes, hash, session })).toMatchObject({ ok: false, reason: 'used' })
            expect(desk.answer('ap1', { ...yes, hash, session })).toMatchObject({ ok: false, reason: 'unknown' })
            expect(floor.bytes('Base.md').toString()).toBe('two')
          }),
      },
      {
        name: 'an answer for another session, another hash or after its time is refused',
        run: () =>
          withTools({ 'Base.md': 'one' }, { asker: waiting }, async (floor) => {
            const running = floor.call('delete_note', { path: 'Base.md' })
            const request = await panelOf(floor)
            const { approvalQueue: desk } = floor.opened
            const reply = { ...yes, hash: request.hash, session: request.session }
            expect(desk.answer(request.id, { ...reply, session: 'other' })).toMatchObject({ reason: 'other-session' })
            expect(desk.answer(request.id, { ...reply, hash: 'f'.repeat(64) })).toMatchObject({ reason: 'wrong-hash' })
            expect(floor.bytes('Base.md').toString()).toBe('one')
            desk.dismiss()
            expect(await running).toMatchObject({ ok: false, code: 'denied' })
            expect(desk.answer(request.id, reply)).toMatchObject({ ok: false, reason: 'void' })
          }),
      },
    ]
  },

  A03: () => {
    const start = { 'Note.md': 'before\n', 'Linking.md': 'See [[Note]].\n' }
    const calls: Record<string, [tool: string, input: Record<string, unknown>]> = {
      'a whole note written': ['write_note', { path: 'Note.md', content: 'by the model\n' }],
      'an edit': ['edit_note', { path: 'Note.md', old_text: 'before', new_text: 'after' }],
      'a property': ['update_frontmatter', { path: 'Note.md', updates: { a: 1 } }],
      'a deletion': ['delete_note', { path: 'Note.md' }],
      'a rename': ['rename_note', { path: 'Note.md', new_path: 'Other.md' }],
    }
    return Object.entries(calls).map(([name, [tool, input]]) => ({
      name: `${name}, while an editor saves: refused as changed since preview, its bytes intact, a new diff offered`,
      run: async () => {
        let saved = 0
        let vault = ''
        const answer = () => {
          if (++saved > 1) return { verdict: 'deny' as const }
          writeFileSync(join(vault, 'Note.md'), 'before, and saved by a person\n')
          return yes
        }
        await withTools(start, { answer }, async (floor) => {
          vault = floor.vault
          const { text } = await floor.refused('conflict', tool, input)
          expect(text).toContain('changed since the preview')
          expect(floor.bytes('Note.md').toString()).toBe('before, and saved by a person\n')
          expect(floor.bytes('Linking.md').toString()).toBe(start['Linking.md'])
          await floor.refused('denied', tool, input)
          const [first, second] = floor.shown as ApprovalRequest[]
          expect(second.hash).not.toBe(first.hash)
          if (tool === 'edit_note') expect(JSON.stringify(second.changes)).toContain('saved by a person')
        })
      },
    }))
  },

  A04: ({ action, setup }) => {
    const folder = /in (\S+) without/.exec(quoted(setup)[0])![1]
    const allow = [`write_note(${folder})`]
    const within = (options: ToolOptions, use: (floor: ToolFloor) => Promise<void>) =>
      withTools({ 'Inbox/a.md': 'a', 'Journal/b.md': 'b' }, options, async (floor) => {
        symlinkSync(join(floor.vault, 'Journal'), join(floor.vault, 'Inbox', 'link'))
        mkdirSync(join(floor.vault, 'Inbox-evil'))
        await use(floor)
      })
    return [
      ...quoted(action).map((path) => ({
        name: `write_note ${shown(path)} does not pass by ${allow[0]}`,
        run: () =>
          within({ allow }, async (floor) => {
            const before = treeHash(floor.vault)
            const result = await floor.call('write_note', { path, content: 'x' })
            // A canvas may be written there, but not one that is none.
            const codes = path.endsWith('.canvas') ? /^invalid-input$/ : /^(?:path|needs-approval)$/
            expect(result).toMatchObject({ ok: false, code: expect.stringMatching(codes) })
            expect(treeHash(floor.vault)).toBe(before)
          }),
      })),
      ...['Inbox/x.md', 'Inbox/deep/er/x.md'].map((path) => ({
        name: `write_note ${path} does`,
        run: () =>
          within({ allow }, async (floor) => {
            expect((await floor.done('write_note', { path, content: 'x' })).changeSet).toBeDefined()
          }),
      })),
      ...permutations(['allow', 'ask', 'deny'] as const).map((order) => ({
        name: `deny beats ask beats allow, given in the order ${order.join(', ')}`,
        run: async () => {
          const rule = 'write_note(Inbox/**)'
          const given = (effects: readonly string[]) => {
            const lists: Record<'allow' | 'ask' | 'deny', string[]> = { allow: [], ask: [], deny: [] }
            for (const effect of order) if (effects.includes(effect)) lists[effect].push(rule)
            return { config: { permissions: lists }, answer: 'no' } satisfies ToolOptions
          }
          const input = { path: 'Inbox/x.md', content: 'x' }
          await within(given(['allow', 'ask', 'deny']), async (floor) => {
            await floor.refused('denied', 'write_note', input)
            expect(floor.shown).toEqual([])
          })
          await within(given(['allow', 'ask']), async (floor) => {
            await floor.refused('denied', 'write_note', input)
            expect(floor.shown).toHaveLength(1)
          })
          await within(given(['allow']), async (floor) => {
            await floor.done('write_note', input)
            expect(floor.shown).toEqual([])
          })
        },
      })),
    ]
  },

  A06: ({ setup }) => {
    const more = Number(/(\d+) more asks/.exec(setup)![1])
    const notes = Object.fromEntries(Array.from({ length: more }, (_, at) => [`n${at}.md`, `note ${at}`]))
    const start = { 'x.md': 'x', 'y.md': 'y', ...notes }
    const step = (floor: ToolFloor): Promise<ToolResult>[] => [
      floor.call('read_note', { path: 'x.md' }, { turn: 't' }),
      floor.call('delete_note', { path: 'y.md' }, { turn: 't' }),
      ...Object.keys(notes).map((path) => floor.call('delete_note', { path }, { turn: 't' })),
    ]
    return [
      {
        name: 'two approvals of one request at once: it is decided once, and one note goes',
        run: () =>
          withTools(start, { asker: waiting }, async (floor) => {
            const [read, remove, ...others] = step(floor)
            const request = await panelOf(floor)
            expect((await read).ok).toBe(true)
            const { approvalQueue: desk } = floor.opened
            const reply = { ...yes, hash: request.hash, session: request.session }
            const receipts = await Promise.all([1, 2].map(async () => desk.answer(request.id, reply)))
            expect(receipts).toEqual([{ ok: true }, expect.objectContaining({ ok: false, reason: 'used' })])
            expect(await remove).toMatchObject({ ok: true })
            desk.dismiss()
            await Promise.all(others)
            expect((await floor.notebook.vault.files()).map(({ path }) => path)).toHaveLength(more + 1)
          }),
      },
      {
        name: 'after an abort every pending dialog is void, and an old click does nothing',
        run: async () => {
          const stop = new AbortController()
          await withTools(start, { asker: waiting, signal: stop.signal }, async (floor) => {
            const before = treeHash(floor.vault)
            const running = step(floor).slice(1)
            const request = await panelOf(floor)
            stop.abort()
            const ends = await Promise.allSettled(running)
            expect(ends.map(({ status }) => status)).toEqual(Array(more + 1).fill('rejected'))
            const { approvalQueue: desk } = floor.opened
            const reply = { ...yes, hash: request.hash, session: request.session }
            expect(desk.answer(request.id, reply)).toMatchObject({ ok: false, reason: 'void' })
            expect(desk.pending()).toEqual([])
            expect(treeHash(floor.vault)).toBe(before)
          })
        },
      },
      {
        name: 'more than ten asks in a minute become one list, and nothing in it passes that is not named',
        run: async () => {
          const asker: AskUser = async (panel) => {
            if (panel.kind !== 'batch') return { verdict: 'deny' }
            const [first] = panel.requests
            return { verdict: 'each', answers: { [first.id]: yes } }
          }
          await withTools(start, { asker }, async (floor) => {
            const results = await Promise.all(step(floor).slice(1))
            const batches = floor.shown.filter(({ kind }) => kind === 'batch')
            expect(batches).toHaveLength(1)
            expect(floor.shown.length).toBeLessThanOrEqual(12)
            expect(results.filter(({ ok }) => ok)).toHaveLength(1)
            expect((await floor.notebook.vault.files()).length).toBe(more + 1)
          })
        },
      },
      {
        name: 'a list that is closed without an answer denies all of it',
        run: () =>
          withTools(start, { asker: async () => undefined }, async (floor) => {
            const before = treeHash(floor.vault)
            const results = await Promise.all(step(floor).slice(1))
            expect(results.every((result) => !result.ok && result.code === 'denied')).toBe(true)
            expect(treeHash(floor.vault)).toBe(before)
          }),
      },
    ]
  },
  A07: () => {
    const risky: Record<string, [tool: string, input: Record<string, unknown>]> = {
      'publish: true': ['update_frontmatter', { path: 'A.md', updates: { publish: true } }],
      'private removed': ['update_frontmatter', { path: 'A.md', updates: { private: null } }],
      'private: false': ['update_frontmatter', { path: 'A.md', updates: { private: false } }],
      'all properties removed': [
        'update_frontmatter',
        { path: 'A.md', updates: { title: null, private: null, status: null } },
      ],
      'a large value': ['update_frontmatter', { path: 'A.md', updates: { summary: 'many words '.repeat(4000) } }],
      'write_note on the note': ['write_note', { path: 'A.md', content: 'gone\n' }],
      'the same tool on another note': ['update_frontmatter', { path: 'B.md', updates: { status: 'seen' } }],
    }
    return [
      ...Object.entries(risky).map(([name, [tool, input]]) => ({
        name: `${name}: the grant for the tool and the note does not cover it`,
        run: () =>
          grantedOnce(async (floor) => {
            floor.put('B.md', 'b\n')
            const before = treeHash(floor.vault)
            await floor.refused('denied', tool, input)
            expect(floor.shown).toHaveLength(2)
            expect(treeHash(floor.vault)).toBe(before)
          }),
      })),
      {
        name: 'a value of 5 MB is asked about or refused, and not written',
        run: () =>
          grantedOnce(async (floor) => {
            const before = treeHash(floor.vault)
            const updates = { summary: 'x'.repeat(5_000_000) }
            expect((await floor.call('update_frontmatter', { path: 'A.md', updates })).ok).toBe(false)
            expect(treeHash(floor.vault)).toBe(before)
          }),
      },
      {
        name: 'at every level a change of who sees the note asks for itself, and says so',
        run: async () => {
          for (const level of ['ask', 'edit', 'auto'] as const) {
            await withTools({ 'A.md': '---\ntitle: A\n---\n' }, { level, answer: 'no' }, async (floor) => {
              await floor.refused('denied', 'update_frontmatter', { path: 'A.md', updates: { publish: true } })
              const [request] = floor.shown as ApprovalRequest[]
              expect(request.reasons.join(' ')).toContain('This sets publish: true in A.md')
              expect(request.scopes).toEqual(['once'])
            })
          }
        },
      },
    ]
  },
}

/** The grant for the session covers this tool, on this note, for a small change that shows the note to nobody. */
const grantedOnce = (use: (floor: ToolFloor) => Promise<void>) => {
  let isFirst = true
  const answer = (): ApprovalAnswer => {
    if (!isFirst) return { verdict: 'deny' }
    isFirst = false
    return { verdict: 'allow', scope: 'session' }
  }
  const start = { 'A.md': '---\ntitle: A\nprivate: off\n---\nText.\n' }
  return withTools(start, { answer }, async (floor) => {
    await floor.done('update_frontmatter', { path: 'A.md', updates: { status: 'seen' } })
    await floor.done('update_frontmatter', { path: 'A.md', updates: { status: 'read' } })
    expect(floor.shown).toHaveLength(1)
    await use(floor)
  })
}

interface Meddling {
  input: Record<string, unknown>
  // biome-ignore lint/suspicious/noExplicitAny: a proposal is read-only; whoever meddles does not care
  proposed: any[]
  call?: Record<string, unknown>
  request?: ApprovalRequest
}

/** A user who has not answered yet. */
const waiting: AskUser = (_panel, signal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))

async function panelOf(floor: ToolFloor): Promise<ApprovalRequest> {
  while (floor.opened.approvalQueue.pending().length === 0) await new Promise((resume) => setTimeout(resume, 1))
  return floor.opened.approvalQueue.pending()[0] as ApprovalRequest
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, at) =>
    permutations(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
  )
}
