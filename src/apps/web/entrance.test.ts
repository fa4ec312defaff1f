import { expect, it } from 'vitest'
import { entrance } from './entrance.js'

const knows = (door: ReturnType<typeof entrance>, cookie: string | undefined) =>
  door.isKnown({ one: (name: string) => (name === 'cookie' ? cookie?.split(';')[0] : undefined) })

it('lets in with a code for two minutes, once', () => {
  let time = 0
  const door = entrance('token', () => time)
  const [early, late] = [door.newCode(), door.newCode()]
  time = 2 * 60_000
  const cookie = door.enter(early)
  expect(knows(door, cookie)).toBe(true)
  expect(door.enter(early)).toBeUndefined()
  time++
  expect(door.enter(late)).toBeUndefined()
  time = 0
  expect(door.enter(late)).toBeUndefined()
})

it('knows a browser again when the server is started again, and no cookie of another server', () => {
  const first = entrance('token')
  const cookie = first.enter(first.newCode())
  expect(knows(entrance('token'), cookie)).toBe(true)
  expect(knows(entrance('other'), cookie)).toBe(false)
})
