import { describe, expect, it } from 'vitest'
import { setUp } from '../../../../test/tools/guarded-tools.js'

const file = 'Notewright memory.md'

describe('remember', () => {
  it('creates the memory note, then adds a line each time, and detects duplicates', async () => {
    const { call, text } = await setUp({ level: 'edit', notes: {} })
    expect(await call('remember', { text: 'I garden in\nzone 7' })).toMatchObject({
      ok: true,
      text: `Remembered in ${file}: I garden in zone 7`,
    })
    await call('remember', { text: 'Anna is my sister' })
    expect(await call('remember', { text: 'I garden in zone 7' })).toMatchObject({
      ok: true,
      text: `Already remembered in ${file}: I garden in zone 7`,
    })
    expect(text(file)).toBe('- I garden in zone 7\n- Anna is my sister\n')
  })

  it('asks like any other change, and a no writes nothing', async () => {
    const { call, text, asked } = await setUp({ notes: {}, answers: [{ verdict: 'deny' }] })
    expect(await call('remember', { text: 'x' })).toMatchObject({ ok: false, code: 'denied' })
    expect(asked[0].tool.name).toBe('remember')
    expect(text(file)).toBeUndefined()
  })

  it('leaves a hidden memory note hidden', async () => {
    const hidden = '---\nprivate: true\n---\n- CANARY\n'
    const { call, text } = await setUp({ level: 'auto', notes: { [file]: hidden } })
    const result = await call('remember', { text: 'CANARY' })
    expect(result).toMatchObject({ ok: false, code: 'path' })
    expect(result.text).not.toContain('Already')
    expect(text(file)).toBe(hidden)
  })

  it('takes neither nothing nor a whole document', async () => {
    const { call } = await setUp({ level: 'auto', notes: {} })
    for (const text of ['', ' \n ', 'x'.repeat(1001), 'a\0b']) {
      expect(await call('remember', { text })).toMatchObject({ ok: false, code: 'invalid-input' })
    }
  })

  it('is searched first by search_notes, if it is related to the query', async () => {
    const notes = {
      [file]: '- I garden in zone 7\n- Anna is my sister\n',
      'Zones.md': 'Zone 7 is mild. Garden zones: zone 6, zone 7. A garden in zone 7 rests in winter.',
      'Soil.md': 'Loam for the garden.',
    }
    const { call } = await setUp({ notes })
    const found = await call('search_notes', { query: 'which zone do I garden in?' })
    expect(found).toMatchObject({ output: { results: [{ path: file, chunk: '- I garden in zone 7' }, {}, {}] } })
    const other = await call('search_notes', { query: 'loam' })
    expect(other).toMatchObject({ output: { results: [{ path: 'Soil.md' }] } })
  })
})
