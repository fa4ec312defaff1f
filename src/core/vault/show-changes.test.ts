import { describe, expect, it } from 'vitest'
import { changeSet } from './change-set.js'
import { memoryVault } from './memory-vault.js'
import { notePath } from './note-path.js'
import { hashBytes } from './note-text.js'
import { showChanges, showDiff } from './show-changes.js'

const encode = (text: string) => new TextEncoder().encode(text)

describe('showChanges', () => {
  it('shows each change from the state that the earlier ones leave', async () => {
    const vault = memoryVault({ files: { 'a.md': 'one\ntwo\n' } })
    const before = hashBytes(encode('one\ntwo\n'))
    const set = changeSet('x', [
      { kind: 'move', path: notePath('a.md'), to: notePath('b.md'), before },
      { kind: 'edit', path: notePath('b.md'), before, after: encode('one\n2\n') },
      { kind: 'append', path: notePath('b.md'), added: encode('three\n') },
      { kind: 'create', path: notePath('n.md'), after: encode('new\n') },
    ])
    const shown = await showChanges(set, (path) => vault.read(path))
    expect(shown[0]).toEqual({ kind: 'move', path: 'a.md', to: 'b.md' })
    expect(shown[1].diff).toContain('-two\n+2')
    expect(shown[2].diff).toContain(' 2\n+three')
    expect(shown[2].diff).toMatch(/^--- b\.md\n\+\+\+ b\.md\n@@/)
    expect(shown[2].diff).not.toContain('\n-')
    expect(shown[3].diff).toContain('+new')
  })

  it('stops at its limit and says so', async () => {
    const vault = memoryVault()
    const changes = ['a.md', 'b.md'].map((path) => ({
      kind: 'create' as const,
      path: notePath(path),
      after: encode('line\n'.repeat(1000)),
    }))
    const shown = await showChanges(changeSet('x', changes), (path) => vault.read(path), 500)
    expect(shown[0].diff!.length).toBeLessThan(600)
    expect(shown[0].diff).toContain('cut after 500')
    expect(shown[1].diff).toContain('not shown')
  })

  it('says in words what text cannot show', () => {
    expect(showDiff('a.md', Uint8Array.of(0xff), encode('x'))).toContain('not UTF-8')
  })

  it('shows all that comes in, also where texts are too different or too long to compare', () => {
    const lines = (word: string) => Array.from({ length: 30_000 }, (_, at) => `${word} ${at} ${at % 7}\n`).join('')
    const diff = showDiff(
      'a.md',
      encode(`same\n${lines('old')}end\n`),
      encode(`same\n${lines('new')}hidden\nend\n`),
      8e6,
    )
    expect(diff).toMatch(/^--- a\.md\n\+\+\+ a\.md\n@@/)
    expect(diff).toContain('-old 29999 4\n')
    expect(diff).toContain('+new 29999 4\n+hidden\n')
    const long = 'one line of a long note\n'.repeat(250_000)
    expect(showDiff('a.md', encode(long), encode(`${long}added\n`))).toBe(
      '--- a.md\n+++ a.md\n@@ -250001 +250001 @@\n+added\n',
    )
    expect(showDiff('a.md', encode(long), encode('x'), 10_000)).toMatch(
      /more characters removed\)\n\+x\n\\ No newline at end of file\n$/,
    )
  })

  it.each([
    ['a\nb\nc\n', 'a\nX\nc\n', '@@ -2 +2 @@\n-b\n+X\n'],
    ['ab\nc\n', 'ax\nc\n', '@@ -1 +1 @@\n-ab\n+ax\n'],
    ['a\n', 'a\na\n', '@@ -2 +2 @@\n+a\n'],
    ['a\na\n', 'a\n', '@@ -2 +2 @@\n-a\n'],
    ['a', 'b\na', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n+a\n\\ No newline at end of file\n'],
  ])('shows %j become %j below a long line', (before, after, expected) => {
    const [first, line] = [`${'x'.repeat(5 << 20)}\n`, / -(\d+) \+(\d+) /]
    const below = expected.replace(line, (_, one, other) => ` -${Number(one) + 1} +${Number(other) + 1} `)
    expect(showDiff('a.md', encode(first + before), encode(first + after))).toBe(`--- a.md\n+++ a.md\n${below}`)
  })
})
