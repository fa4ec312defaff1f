import { existsSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtInTools, registry, toolset } from '../../core/tools/index.js'
import { type ApprovedPrograms, approvedPrograms } from './approved-programs.js'
import { modulePrograms, ownTools } from './own-tools.js'

let folder: string
let state: string
let programs: ApprovedPrograms
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notewright-tools-'))
  state = await mkdtemp(join(tmpdir(), 'notewright-state-'))
  programs = approvedPrograms(state)
})
afterEach(async () => {
  for (const each of [folder, state]) await rm(each, { recursive: true })
})

async function approveAll(): Promise<void> {
  for (const program of await modulePrograms(folder)) await programs.approve(program)
}

async function put(name: string, title: string): Promise<void> {
  const words = { name: 'shout', title, description: 'Shouts.', activity: 'Shouting', effects: [] }
  const rest = 'input: { jsonSchema: {} }, run: async () => ({}), render: () => "!", alwaysOn: true'
  await writeFile(join(folder, name), `export const tool = { ...${JSON.stringify(words)}, ${rest} }`)
  await utimes(join(folder, name), 1, title.length)
  await approveAll()
}

describe('the folder of own tools', () => {
  it('is followed: new, changed, broken and removed modules are updated in the registry', async () => {
    const all = registry(builtInTools)
    const own = ownTools(folder, programs)
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
    await approveAll()
    expect(await own.refresh(all)).toEqual([expect.stringContaining('not today')])
    expect(all.find('shout')).toBeUndefined()
    await rm(join(folder, 'shout.mjs'))
    expect(await own.refresh(all)).toEqual([])
  })

  it('runs no code of a module before it is approved, and none of a changed one', async () => {
    const all = registry(builtInTools)
    const own = ownTools(folder, programs)
    const marker = join(folder, 'MARKER')
    const code = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')\n`
    await writeFile(join(folder, 'mark.mjs'), code)
    expect(await own.refresh(all)).toEqual([expect.stringContaining('notewright programs approve tool:mark.mjs')])
    expect(existsSync(marker)).toBe(false)
    await approveAll()
    await own.refresh(all)
    expect(existsSync(marker)).toBe(true)
    await rm(marker)
    await writeFile(join(folder, 'mark.mjs'), `${code}// changed`)
    expect(await own.refresh(all)).toEqual([expect.stringContaining('not approved')])
    expect(existsSync(marker)).toBe(false)
  })

  it('has tools that are named custom/name in the settings', async () => {
    const all = registry(builtInTools)
    await put('shout.mjs', 'Shout')
    await ownTools(folder, programs).refresh(all)
    expect(toolset({}, all).names.has('shout')).toBe(false)
    expect(toolset({ enabled: ['custom/shout'] }, all).names.has('shout')).toBe(true)
    expect(toolset({ enabled: ['custom/read_note'] }, all).names.has('read_note')).toBe(false)
  })
})
