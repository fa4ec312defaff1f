import { expect, it } from 'vitest'
import type { Part } from './transcript-state.js'
import { whyFound } from './why-found.js'

const search: Part = {
  kind: 'work',
  entries: [
    {
      kind: 'call',
      call: { id: '1', name: 'search_notes', input: { query: 'blight' } },
      title: 'Search notes',
      activity: 'Searching notes for "blight"',
      background: false,
      startedAt: 0,
      endedAt: 1,
      result: { callId: '1', ok: true, output: {}, text: '1. Garden/Tomatoes.md' },
    } as never,
  ],
}

it('says which step found a note, or that the person named it', () => {
  expect(whyFound({ asked: 'When does it come?', parts: [search] }, 'Garden/Tomatoes.md')).toContain('blight')
  expect(whyFound({ asked: 'What about tomatoes?', parts: [] }, 'Garden/Tomatoes.md')).toBe('you named it')
  expect(whyFound({ asked: 'When?', parts: [search] }, 'Garden/Beans.md')).toBeUndefined()
})
