import { describe, expect, it } from 'vitest'
import { sinceTime } from './options.js'

const now = new Date('2026-02-01T12:00:00Z')

describe('--since', () => {
  it('understands how long ago', () => {
    expect(sinceTime('2h', now)).toEqual(new Date('2026-02-01T10:00:00Z'))
    expect(sinceTime('90s', now)).toEqual(new Date('2026-02-01T11:58:30Z'))
    expect(sinceTime('1w', now)).toEqual(new Date('2026-01-25T12:00:00Z'))
  })

  it('understands a day and an ISO time', () => {
    expect(sinceTime('2026-01-31', now)).toEqual(new Date(2026, 0, 31))
    expect(sinceTime('2026-01-31T18:30:00Z', now)).toEqual(new Date('2026-01-31T18:30:00Z'))
    expect(sinceTime('2026-01-31T18:30', now)).toEqual(new Date(2026, 0, 31, 18, 30))
  })

  it.each(['yesterday', '2', 'h', '2026-13-01', '2026-1-1', '', '-2h'])(
    'refuses "%s" and says what it takes',
    (text) => {
      expect(() => sinceTime(text, now)).toThrow('--since takes a time')
    },
  )
})
