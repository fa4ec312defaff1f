import { describe, expect, it } from 'vitest'
import type { SessionRow } from '../overview.js'
import { chatGroups, chatTime } from './chat-groups.js'

const now = new Date(2026, 2, 30, 10, 0)

const chat = (id: string, updatedAt: Date, more: Partial<SessionRow> = {}): SessionRow => ({
  id,
  title: id,
  createdAt: '',
  updatedAt: updatedAt.toISOString(),
  turns: 1,
  model: 'm',
  waiting: 0,
  cost: null,
  bytes: 1,
  running: false,
  ...more,
})

describe('chats in the sidebar', () => {
  it('are grouped by the day of their last use, with pinned ones first', () => {
    const chats = [
      chat('now', now),
      chat('midnight', new Date(2026, 2, 30, 0, 0)),
      chat('late', new Date(2026, 2, 29, 23, 59)),
      chat('week', new Date(2026, 2, 23, 1, 0)),
      chat('kept', new Date(2025, 0, 1), { pinned: true }),
      chat('older', new Date(2026, 1, 3)),
      chat('old', new Date(2025, 9, 28)),
    ]
    expect(chatGroups(chats, now).map(({ name, chats: own }) => [name, own.map(({ id }) => id)])).toEqual([
      ['Pinned', ['kept']],
      ['Today', ['now', 'midnight']],
      ['Yesterday', ['late']],
      ['Last 7 days', ['week']],
      [new Date(2026, 1, 3).toLocaleDateString(undefined, { month: 'long' }), ['older']],
      [`${new Date(2025, 9, 28).toLocaleDateString(undefined, { month: 'long' })} 2025`, ['old']],
    ])
  })

  it('count a chat whose clock is ahead as of today', () => {
    expect(chatGroups([chat('a', new Date(2026, 3, 2))], now)[0].name).toBe('Today')
  })

  it('show the year only of other years', () => {
    expect(chatTime(new Date(2026, 0, 5).toISOString(), now)).not.toContain('2026')
    expect(chatTime(new Date(2025, 0, 5).toISOString(), now)).toContain('2025')
  })
})
