import { describe, expect, it } from 'vitest'
import type { Notebook } from '../../../core/index/index.js'
import { changeNamed } from './last-change.js'

const entries = [
  { id: 'ab12cd34-0000-4000-8000-000000000000', title: 'Append to Home.md' },
  { id: 'ab99ffff-0000-4000-8000-000000000000', title: 'Create Plan.md' },
]
const notebook = { history: async () => entries } as unknown as Notebook

describe('the id of a change set', () => {
  it('may be its unique beginning, in either case', async () => {
    for (const given of [entries[0].id, 'ab12cd34', 'ab1', 'AB1']) {
      expect(await changeNamed(notebook, given)).toBe(entries[0].id)
    }
  })

  it('that fits several change sets is refused with the candidates', async () => {
    await expect(changeNamed(notebook, 'ab')).rejects.toMatchObject({
      code: 'ambiguous',
      message: expect.stringContaining('ab99ffff-0000-4000-8000-000000000000  Create Plan.md'),
      details: { data: { candidates: entries } },
    })
  })

  it('that fits none is not found, and neither is an empty one', async () => {
    await expect(changeNamed(notebook, 'ff')).rejects.toMatchObject({ code: 'not-found' })
    await expect(changeNamed(notebook, '')).rejects.toMatchObject({ code: 'not-found' })
  })
})
