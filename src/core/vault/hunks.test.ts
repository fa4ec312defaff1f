import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Change, changeSet } from './change-set.js'
import { acceptHunks, listHunks } from './hunks.js'
import { memoryVault } from './memory-vault.js'
import { notePath } from './note-path.js'
import { hashBytes } from './note-text.js'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (of: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(of)
const path = notePath('a.md')

function edit(before: string, after: string) {
  const vault = memoryVault({ files: { 'a.md': before } })
  const change: Change = { kind: 'edit', path, before: hashBytes(bytes(before)), after: bytes(after) }
  return { vault, set: changeSet('Edit a.md', [change], { session: 's' }) }
}

async function accepting(before: string, after: string, hunks: number[]): Promise<string | undefined> {
  const { vault, set } = edit(before, after)
  const { changes } = await acceptHunks(set, [{ change: 0, hunks }], vault.read)
  const [change] = changes as (Change & { kind: 'edit' })[]
  if (change !== undefined) expect(change.before).toBe(hashBytes(bytes(before)))
  return change && text(change.after)
}

describe('listHunks', () => {
  it('lists runs of changed lines with their line numbers', () => {
    expect(listHunks(bytes('a\nb\nc\nd\n'), bytes('a\nB\nBB\nc\ne\nd\n'))).toEqual([
      { oldLine: 2, newLine: 2, removed: ['b\n'], added: ['B\n', 'BB\n'] },
      { oldLine: 4, newLine: 5, removed: [], added: ['e\n'] },
    ])
  })

  it('sees line breaks, byte order marks and a missing last line break', () => {
    expect(listHunks(bytes('a\r\nb'), bytes('a\nb\n'))).toEqual([
      { oldLine: 1, newLine: 1, removed: ['a\r\n', 'b'], added: ['a\n', 'b\n'] },
    ])
    expect(listHunks(bytes('\ufeffa\n'), bytes('a\n'))).toHaveLength(1)
    expect(listHunks(bytes('same\n'), bytes('same\n'))).toEqual([])
  })

  it('takes a text that has little in common for one hunk', () => {
    const lines = (word: string) => bytes(Array.from({ length: 3000 }, (_, at) => `${word}${at}\n`).join(''))
    expect(listHunks(lines('a'), lines('b'))).toHaveLength(1)
  })
})

describe('acceptHunks', () => {
  const before = 'one\ntwo\nthree\nfour\nfive'
  const after = 'ONE\ntwo\nthree\n3½\nfour\nFIVE\n'

  it.each([
    [[0], 'ONE\ntwo\nthree\nfour\nfive'],
    [[1], 'one\ntwo\nthree\n3½\nfour\nfive'],
    [[2], 'one\ntwo\nthree\nfour\nFIVE\n'],
    [[2, 0], 'ONE\ntwo\nthree\nfour\nFIVE\n'],
    [[0, 1, 2], after],
    [[], undefined],
  ])('accepts hunks %j and leaves the rest', async (hunks, expected) => {
    expect(await accepting(before, after, hunks)).toBe(expected)
  })

  it('keeps id, title and session, and applies onto the same base', async () => {
    const { vault, set } = edit(before, after)
    const narrowed = await acceptHunks(set, [{ change: 0, hunks: [1] }], vault.read)
    expect(narrowed).toMatchObject({ id: set.id, title: set.title, session: 's' })
    await vault.apply(narrowed)
    expect((await vault.read(path))?.text).toBe('one\ntwo\nthree\n3½\nfour\nfive')
  })

  it('leaves changes that are not named as they are', async () => {
    const { vault, set } = edit('a\n', 'b\n')
    expect((await acceptHunks(set, [], vault.read)).changes).toEqual(set.changes)
  })

  it('follows an edit back to the path of its file before the move', async () => {
    const vault = memoryVault({ files: { 'a.md': 'x\ny\nz\n' } })
    const hash = hashBytes(bytes('x\ny\nz\n'))
    const to = notePath('b.md')
    const set = changeSet('Move', [
      { kind: 'move', path, to, before: hash },
      { kind: 'edit', path: to, before: hash, after: bytes('X\ny\nZ\n') },
    ])
    await vault.apply(await acceptHunks(set, [{ change: 1, hunks: [1] }], vault.read))
    expect((await vault.read(to))?.text).toBe('x\ny\nZ\n')
  })

  it('takes new notes and appended text as one hunk', async () => {
    const vault = memoryVault({ files: { 'a.md': 'x' } })
    const changes: Change[] = [
      { kind: 'create', path: notePath('new.md'), after: bytes('n\n\nm\n') },
      { kind: 'append', path, added: bytes('y') },
    ]
    const accept = async (hunks: number[]) => {
      const named = [0, 1].map((change) => ({ change, hunks }))
      return (await acceptHunks(changeSet('Both', changes), named, vault.read)).changes
    }
    expect(await accept([0])).toEqual(changes)
    expect(await accept([])).toEqual([])
  })

  it('refuses a base that has changed', async () => {
    const { vault, set } = edit(before, after)
    vault.write('a.md', 'other')
    await expect(acceptHunks(set, [{ change: 0, hunks: [0] }], vault.read)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('refuses missing hunks, changes without hunks, and changes that a later step builds on', async () => {
    const { vault, set } = edit('a\n', 'b\n')
    const refused = (changes: Change[], change: number, hunks: number[]) =>
      expect(acceptHunks({ ...set, changes }, [{ change, hunks }], vault.read)).rejects.toMatchObject({
        code: 'invalid-input',
      })
    await refused(set.changes, 0, [1])
    await refused(set.changes, 0, [-1])
    await refused(set.changes, 0, [0.5])
    await refused(set.changes, 1, [0])
    await refused([{ kind: 'trash', path, before: hashBytes(bytes('a\n')) }], 0, [])
    await refused([...set.changes, { kind: 'edit', path, before: hashBytes(bytes('b\n')), after: bytes('c') }], 0, [])
  })

  it('with all hunks is the change, with none is no change, with some touches only their lines', async () => {
    await fc.assert(
      fc.asyncProperty(note, note, fc.nat(), async (one, other, bits) => {
        const hunks = listHunks(bytes(one), bytes(other))
        const all = hunks.map((_, index) => index)
        if (hunks.length === 0) return void expect(one).toBe(other)
        expect(await accepting(one, other, all)).toBe(other)
        expect(await accepting(one, other, [])).toBeUndefined()
        const some = all.filter((index) => (bits >> (index % 30)) & 1)
        const result = (await accepting(one, other, some)) ?? one
        // Put together by hand from the lines of both texts.
        const [old, parts] = [one.match(/[^\n]*\n|[^\n]+/g) ?? [], [] as string[]]
        let at = 0
        for (const [index, { oldLine, removed, added }] of hunks.entries()) {
          parts.push(...old.slice(at, oldLine - 1), ...(some.includes(index) ? added : removed))
          at = oldLine - 1 + removed.length
          expect(old.slice(oldLine - 1, at)).toEqual(removed)
        }
        expect(result).toBe([...parts, ...old.slice(at)].join(''))
      }),
      { numRuns: 1000 },
    )
  })

  it('does the rest when it is asked a second time', async () => {
    await fc.assert(
      fc.asyncProperty(note, note, async (one, other) => {
        const hunks = listHunks(bytes(one), bytes(other))
        if (hunks.length < 2) return
        const half = (await accepting(one, other, [0]))!
        expect(half).not.toBe(one)
        expect(half).not.toBe(other)
        const left = listHunks(bytes(half), bytes(other))
        expect(
          await accepting(
            half,
            other,
            left.map((_, index) => index),
          ),
        ).toBe(other)
      }),
      { numRuns: 300 },
    )
  })
})

const line = fc.constantFrom('a', 'b', 'c', '# h', '', ' ', 'é', '漢字')
const note = fc
  .tuple(fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 14 }), fc.boolean(), fc.boolean())
  .map(([lines, bom, isCut]) => {
    const whole = lines.map(([content, end]) => content + end).join('')
    return (bom ? '\ufeff' : '') + (isCut ? whole.replace(/\r?\n$/, '') : whole)
  })
