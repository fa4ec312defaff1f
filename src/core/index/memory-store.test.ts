import { describe, expect, it } from 'vitest'
import { link, rows } from '../../../test/contracts/index-store/index.js'
import type { NotePath } from '../vault/index.js'
import { memoryStore } from './memory-store.js'

// The port's promises are in test/contracts/index-store/.
describe('the memory store', () => {
  it('stores copies, so that callers can change their data', async () => {
    const store = memoryStore()
    const given = rows(1, 'a.md', { tags: ['t'] }, [link('a.md', 'b.md')])
    const bytes = Uint8Array.of(1)
    await store.commit({ expect: 0, put: [given], blobs: { put: [{ name: 'x', kind: 'text', bytes }] } })
    given.note.title = 'changed'
    given.links.length = 0
    bytes[0] = 9
    const [answer] = await store.linksFrom('a.md' as NotePath)
    answer.raw = 'changed'
    ;(await store.note('a.md' as NotePath))?.tags.push('changed')
    expect(await store.note('a.md' as NotePath)).toMatchObject({ title: 'a', tags: ['t'] })
    expect((await store.linksFrom('a.md' as NotePath))[0].raw).toBe('[[b]]')
    expect((await store.blob('x'))?.bytes).toEqual(Uint8Array.of(1))
  })
})
