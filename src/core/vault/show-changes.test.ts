import { describe, expect, it } from 'vitest'
import { changeSet } from './change-set.js'
import { hashBytes } from './hash-bytes.js'
import { memoryVault } from './memory-vault.js'
import { notePath } from './note-path.js'
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
    const large = new Uint8Array(9 << 20).fill(97)
    expect(showDiff('a.md', large, encode('x'))).toContain('too long')
  })
})
