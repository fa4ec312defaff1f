import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtInTools, registry, toolset } from '../../../core/tools/index.js'
import { ownTools } from './index.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notewright-tools-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function put(name: string, title: string): Promise<void> {
  const words = { name: 'shout', title, description: 'Shouts.', activity: 'Shouting', effects: [] }
  const rest = 'input: { jsonSchema: {} }, run: async () => ({}), render: () => "!", alwaysOn: true'
  await writeFile(join(folder, name), `export const tool = { ...${JSON.stringify(words)}, ${rest} }`)
  await utimes(join(folder, name), 1, title.length)
}

describe('the folder of own tools', () => {
  it('is followed: what came, changed, broke or went is so in the registry', async () => {
    const all = registry(builtInTools)
    const own = ownTools(folder)
    expect(await own.refresh(all)).toEqual([])
    await put('shout.mjs', 'Shout')
    await writeFile(join(folder, 'notes.txt'), 'no module')
    expect(await own.refresh(all)).toEqual([])
    const first = all.find('shout')!
    expect(first).toMatchObject({ source: `custom:${join(folder, 'shout.mjs')}`, tool: { title: 'Shout' } })
    expect(first.tool).toMatchObject({ category: 'custom', alwaysOn: false, offByDefault: true })
    await own.refresh(all)
    expect(all.find('shout')).toBe(first)
    await put('shout.mjs', 'Shout louder')
    await own.refresh(all)
    expect(all.find('shout')?.tool.title).toBe('Shout louder')
    await writeFile(join(folder, 'shout.mjs'), 'throw new Error("not today")')
    expect(await own.refresh(all)).toEqual([expect.stringContaining('not today')])
    expect(all.find('shout')).toBeUndefined()
    await rm(join(folder, 'shout.mjs'))
    expect(await own.refresh(all)).toEqual([])
  })

  it('has tools that stand in the settings as custom/name', async () => {
    const all = registry(builtInTools)
    await put('shout.mjs', 'Shout')
    await ownTools(folder).refresh(all)
    expect(toolset({}, all).names.has('shout')).toBe(false)
    expect(toolset({ enabled: ['custom/shout'] }, all).names.has('shout')).toBe(true)
    expect(toolset({ enabled: ['custom/read_note'] }, all).names.has('read_note')).toBe(false)
  })
})
