import { describe, expect, it } from 'vitest'
import type { KeptState } from '../../../src/core/session/index.js'
import { begin, end, entry, keep, say } from './entries.js'
import type { GivenStore } from './index.js'

const state: KeptState = {
  model: 'ollama/qwen3:8b',
  mode: 'agent',
  consent: 'edit',
  seen: ['own-note', 'web'],
  read: ['Soil.md' as never],
  typed: ['What feeds the soil?'],
  grants: [{ id: 'g', rule: 'append_note(Plan.md)', createdAt: '2026-03-01T10:00:00Z', about: 'Append' }],
}

export function describeEvents({ store }: GivenStore): void {
  describe('events', () => {
    it('are returned unchanged, in order, numbered from 1', async () => {
      const writer = await store().write('s')
      const events = [begin('Ça, “quoted” \u{1f331}\nand more?'), say('Com'), say('post'), end('Compost')]
      expect(await writer.append(entry(events.slice(0, 2)))).toBe(2)
      expect(await writer.append(entry(events.slice(2)))).toBe(4)
      const read = await store().read('s')
      expect(read.map(({ event }) => event)).toEqual(events)
      expect(read.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
      expect(read.every(({ time }) => time.startsWith('2026-03-01T10:00'))).toBe(true)
    })

    it('can be read from any number on, and by type', async () => {
      await keep(store(), 's')
      expect((await store().read('s', { after: 2 })).map(({ seq }) => seq)).toEqual([3])
      expect(await store().read('s', { after: 3 })).toEqual([])
      const some = await store().read('s', { types: ['run-start', 'run-end'] })
      expect(some.map(({ seq }) => seq)).toEqual([1, 3])
      expect((await store().read('s', { after: 1, types: ['run-start', 'run-end'] })).map(({ seq }) => seq)).toEqual([
        3,
      ])
    })

    it('of one session are separate from those of another', async () => {
      await keep(store(), 'a', 'one')
      await keep(store(), 'b', 'two')
      expect((await store().read('b'))[0]).toMatchObject({ seq: 1, event: { text: 'two' } })
      expect(await store().read('none')).toEqual([])
    })

    it('continue with the next number when the session is opened again', async () => {
      await keep(store(), 's')
      const writer = await store().write('s')
      expect(await writer.append(entry([begin('And more?', 't2')]))).toBe(4)
      expect((await store().find('s'))?.last).toBe(4)
    })
  })

  it('keeps the state to resume from until it is replaced', async () => {
    const writer = await store().write('s')
    await writer.append(entry([begin('one')], { state }))
    await writer.append(entry([end('two')]))
    expect((await store().find('s'))?.state).toEqual(state)
    await writer.append(entry([begin('three')], { state: { ...state, consent: 'ask' } }))
    expect((await store().find('s'))?.state).toEqual({ ...state, consent: 'ask' })
  })

  it('returns usage from a time on, also without a session', async () => {
    const row = { model: 'm', input: 10, output: 5, cached: 2, cost: 0.25 }
    const writer = await store().write('s')
    const kept = { ...row, time: '2026-03-02T00:00:00.000Z', session: 's', turn: 't1', project: 'Garden' }
    const other = { ...row, time: '2026-03-01T00:00:00.000Z', cost: null }
    await writer.append(entry([begin('one')], { usage: [kept] }))
    await store().addUsage(other)
    expect(await store().usage(new Date('2026-03-01T12:00:00Z'))).toEqual([kept])
    expect(await store().usage()).toEqual(expect.arrayContaining([other, kept]))
  })
}
