import { describe, expect, it } from 'vitest'
import { turnsOf } from './conversation.js'
import type { AgentEvent } from './turn.js'

const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })

describe('the messages of a turn', () => {
  it('are those of its events in order', () => {
    const events: AgentEvent[] = [
      { type: 'messages', messages: [user('one')] },
      { type: 'messages', messages: [user('two')] },
    ]
    expect(turnsOf(events)[0]?.messages).toEqual([user('one'), user('two')])
  })

  it.each([{ replaces: true as const }, { anew: true as const }])('are replaced by an event with %o', (field) => {
    const events: AgentEvent[] = [
      { type: 'messages', messages: [user('one')] },
      { type: 'messages', messages: [user('two')], ...field },
    ]
    expect(turnsOf(events)[0]?.messages).toEqual([user('two')])
  })
})
