import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { Failure } from '../../../src/core/errors.js'
import { editFrontmatter } from '../../../src/core/markdown/index.js'
import { type Change, changeSet, type NoteFile, newNotePath } from '../../../src/core/vault/index.js'
import { seedOf } from '../../runner/seed.js'
import { encode, type Floor, fastScratchFolder, isFull, onFloor, openFloor, randomFrom, treeHash } from '../floor.js'
import type { Check } from '../security-case.js'

const noteCount = 200
const stepCount = 500
const day = 86_400_000

type Random = (below: number) => number

export function undoAllChecks(): Check[] {
  return [
    ...['one change set after the other, newest first', 'the whole session at once'].map(
      (way, at): Check => ({
        name: `${stepCount} random steps on ${noteCount} random notes, taken back as ${way}: the tree is as it was`,
        timeoutMs: 300_000,
        run: () => playAndUndo(at === 0 ? undoEach : undoSession),
      }),
    ),
    {
      name: 'a deleted note can be brought back for 30 days, and lies in the trash after that',
      run: () =>
        onFloor({ 'a.md': 'precious', 'b.md': 'other' }, async (floor) => {
          const { tools, notebook, bytes } = floor
          const { id } = await tools.delete_note('a.md')
          await later(29, async () => {
            await tools.append('b.md', 'a change, so that the journal is tidied')
            await notebook.apply(await notebook.planUndo({ id }))
            expect(bytes('a.md').toString()).toBe('precious')
            await tools.delete_note('a.md')
          })
          for (let at = 30; at < 75; at++)
            await later(at, async () => void (await tools.append('b.md', 'one more day')))
          expect((await notebook.history()).some((entry) => entry.id === id)).toBe(false)
          expect(bytes('.trash/a.md').toString()).toBe('precious')
        }),
    },
    {
      name: 'a deleted note can be brought back even after the trash was emptied',
      run: () =>
        onFloor({ 'a.md': 'precious' }, async ({ tools, notebook, vault, bytes }) => {
          const { id } = await tools.delete_note('a.md')
          rmSync(join(vault, '.trash'), { recursive: true })
          await notebook.apply(await notebook.planUndo({ id }))
          expect(bytes('a.md').toString()).toBe('precious')
        }),
    },
  ]
}

async function playAndUndo(undoAll: (floor: Floor) => Promise<void>): Promise<void> {
  const seed = seedOf()
  const random = randomFrom(seed)
  const base = fastScratchFolder()
  const floor = await openFloor(base, randomNotes(random))
  try {
    await floor.notebook.update({ vectors: false })
    const before = treeHash(floor.vault)
    const names = readdirSync(floor.vault).sort()
    const done = await play(floor, random)
    process.stdout.write(`D06: seed ${seed}, ${JSON.stringify(done)}\n`)
    expect(treeHash(floor.vault)).not.toBe(before)
    await undoAll(floor)
    expect(treeHash(floor.vault)).toBe(before)
    expect(readdirSync(floor.vault).sort()).toEqual(names)
    const { notes, skipped } = await floor.notebook.update({ vectors: false })
    // Some of the random notes are no text.
    expect(notes + skipped.length).toBe(noteCount)
  } finally {
    await floor.notebook.close()
    rmSync(base, { recursive: true, force: true })
  }
}

/** Plays random steps; a step that is refused (taken names, not UTF-8, edited later) is a step all the same. */
async function play(floor: Floor, random: Random): Promise<Record<string, number>> {
  const done: Record<string, number> = {}
  const steps = isFull ? stepCount * 10 : stepCount
  for (let at = 0; at < steps; at++) {
    const kinds = Object.keys(moves)
    const kind = kinds[random(kinds.length)]
    try {
      await moves[kind](floor, random)
      done[kind] = (done[kind] ?? 0) + 1
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'internal') throw error
      done[error.code] = (done[error.code] ?? 0) + 1
    }
  }
  return done
}

const session = 'play'

const moves: Record<string, (floor: Floor, random: Random) => Promise<unknown>> = {
  create: async (floor, random) => {
    const path = newNotePath(`${folderName(random)}new ${random(1000)}.md`)
    await applied(floor, { kind: 'create', path, after: randomBytes(random) })
  },
  edit: async (floor, random) => {
    const { path, hash } = await anyNote(floor, random)
    await applied(floor, { kind: 'edit', path, before: hash, after: randomBytes(random) })
  },
  append: async (floor, random) => {
    const { path } = await anyNote(floor, random)
    await applied(floor, { kind: 'append', path, added: randomBytes(random) })
  },
  frontmatter: async (floor, random) => {
    const { path, hash, text } = await anyNote(floor, random)
    const edited = editFrontmatter(text, { set: { [`key${random(5)}`]: random(1000) } })
    await applied(floor, { kind: 'edit', path, before: hash, after: encode(edited) })
  },
  rename: async (floor, random) => {
    const { path } = await anyNote(floor, random)
    const { changeSet: set } = await floor.notebook.index.planMove(
      path,
      `${folderName(random)}moved ${random(1000)}.md`,
    )
    await floor.notebook.apply({ ...set, session })
  },
  'rename a folder': async (floor, random) => {
    const { changeSet: set } = await floor.notebook.index.planMove(`f${random(5)}`, `g${random(5)}/f${random(5)}`)
    await floor.notebook.apply({ ...set, session })
  },
  delete: async (floor, random) => {
    const { path, hash } = await anyNote(floor, random)
    await applied(floor, { kind: 'trash', path, before: hash })
  },
  undo: async (floor, random) => {
    const recent = (await floor.notebook.history()).slice(0, 8)
    const { id } = recent[random(recent.length)] ?? { id: 'none' }
    const undo = await floor.notebook.planUndo({ id })
    await floor.notebook.apply({ ...undo, session })
  },
}

async function undoEach({ notebook }: Floor): Promise<void> {
  const history = await notebook.history()
  for (const { id } of history) {
    const { state } = (await notebook.history()).find((entry) => entry.id === id)!
    if (state === 'applied' || state === 'partly-undone') await notebook.apply(await notebook.planUndo({ id }))
  }
}

async function undoSession({ notebook }: Floor): Promise<void> {
  await notebook.apply(await notebook.planUndo({ session }))
}

async function applied({ notebook }: Floor, change: Change): Promise<void> {
  await notebook.apply(changeSet(change.kind, [change], { session }))
}

async function anyNote({ notebook }: Floor, random: Random): Promise<NoteFile> {
  const files = await notebook.vault.files()
  if (files.length === 0) throw new Failure('not-found', 'There is no note left.')
  const note = await notebook.vault.read(files[random(files.length)].path)
  if (note === undefined) throw new Failure('not-found', 'The note is private.')
  return note
}

function randomNotes(random: Random): Record<string, Uint8Array> {
  const path = (at: number) => `${folderName(random)}n${at}.md`
  return Object.fromEntries(Array.from({ length: noteCount }, (_, at) => [path(at), randomBytes(random)]))
}

const folderName = (random: Random): string => ['', 'f0/', 'f1/', 'f2/f3/', 'f4/', 'ü/'][random(6)]

/** Text with links, frontmatter and odd line breaks; now and then any bytes at all. */
function randomBytes(random: Random): Uint8Array {
  if (random(10) === 0) return Uint8Array.from({ length: random(200) }, () => random(256))
  const words = [
    '[[n1]]',
    '![[n2]]',
    '[x](n3.md)',
    '#tag',
    'word',
    '\r\n',
    '\n',
    '\ufeff',
    '🙂',
    `[[n${random(noteCount)}|s]]`,
  ]
  const text = Array.from({ length: random(40) }, () => words[random(words.length)]).join(' ')
  return encode(random(3) === 0 ? `---\nkey1: ${random(9)} # kept\ntags: [a, b]\n---\n${text}` : text)
}

async function later(days: number, use: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * day })
  try {
    await use()
  } finally {
    vi.useRealTimers()
  }
}
