import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { browserLogins, openPageState, pagePorts } from './web-page.js'

let state: string
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'notewright-web-page-'))
})
afterEach(() => rm(state, { recursive: true, force: true }))

describe('the list of signed-in browsers', () => {
  it('loses none of those that sign in at the same time, in this process and another', async () => {
    const processes = [await openPageState({ state }), await openPageState({ state })].map((file) =>
      browserLogins(file),
    )
    const name = 'Chrome on Linux'
    const added = await Promise.all(Array.from({ length: 8 }, (_, at) => processes[at % 2].add({ name, port: 8430 })))
    for (const logins of processes) {
      expect(logins.list()).toHaveLength(8)
      for (const credential of added) expect(logins.find(credential, 8430)).toMatchObject({ name })
    }
  })

  it.each([
    '',
    '{',
    '[]',
    'null',
    '{"browsers":[{}],"ports":[]}',
    '{"browsers":[{"id":"a","hash":"","name":"x","port":"8430"}]}',
  ])('signs nobody in from a damaged file, and is written anew: %s', async (text) => {
    await mkdir(join(state, 'web'))
    await writeFile(join(state, 'web/page.json'), text)
    const logins = browserLogins(await openPageState({ state }))
    expect(logins.list()).toEqual([])
    expect(logins.find('', 8430)).toBeUndefined()
    const credential = await logins.add({ name: 'Safari on macOS', port: 8430 })
    expect(logins.find(credential, 8430)).toBeDefined()
  })

  it('is never kept inside a vault', async () => {
    await expect(
      openPageState({ state: join(state, 'vault/state'), vault: join(state, 'vault') }),
    ).rejects.toMatchObject({
      code: 'path',
    })
    await mkdir(join(state, 'notes/.obsidian'), { recursive: true })
    await expect(openPageState({ state: join(state, 'notes/own') })).rejects.toMatchObject({ code: 'path' })
  })
})

describe('the port of a page', () => {
  it('is offered to no other vault, and stays with its own', async () => {
    const file = await openPageState({ state })
    const first = pagePorts(file, '/notes')
    expect([first.remembered, first.candidates[0]]).toEqual([undefined, 8430])
    await first.remember(8430)
    await pagePorts(file, undefined).remember(8431)
    expect(pagePorts(file, '/notes').remembered).toBe(8430)
    expect(pagePorts(file, '/garden').candidates[0]).toBe(8432)
    await pagePorts(file, '/notes').remember(9000)
    expect(pagePorts(await openPageState({ state }), '/notes').remembered).toBe(9000)
    expect(pagePorts(file, '/garden').candidates[0]).toBe(8430)
  })
})
