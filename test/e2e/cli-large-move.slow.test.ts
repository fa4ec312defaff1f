import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Stage, stage } from './cli-harness.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

it('a move of many links is visible to search and links when the command ends', async () => {
  await here.write('Hub.md', '# Hub\n\nWhere all roads meet.\n')
  for (let at = 0; at < 600; at++) await here.write(`many/Note ${at}.md`, `Road number${at} leads to [[Hub]].\n`)
  expect((await here.json('index')).code).toBe(0)
  const { code, value } = await here.json('move', 'Hub.md', 'Crossroads.md', '--yes')
  expect(code).toBe(0)
  expect(value.changes).toHaveLength(601)
  expect(await here.read('many/Note 599.md')).toBe('Road number599 leads to [[Crossroads]].\n')
  expect((await here.json('links', 'Crossroads')).value.back).toHaveLength(600)
  for (const at of [0, 311, 599]) {
    const { hits } = (await here.json('search', `number${at} crossroads`)).value
    expect(hits[0].path).toBe(`many/Note ${at}.md`)
  }
  expect((await here.json('status')).value).toMatchObject({ freshness: 'fresh' })
})
