import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Stage, stage } from './cli-harness.js'

let here: Stage

beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

const notewright = (...words: string[]) => here.run([...words, '--vault', here.vault])
const note = () => readFile(join(here.vault, 'Notewright memory.md'), 'utf8')

describe('notewright memory', () => {
  it('lists memories, newest first, and removes them by number', async () => {
    for (const mode of ['plan', 'chat']) {
      const kept = await notewright('ask', `@memory I like ${mode}`, '--mode', mode, '--yes', '--json')
      expect(JSON.parse(kept.stdout)).toMatchObject({ ok: true, changeSets: [{ paths: ['Notewright memory.md'] }] })
    }
    expect(await note()).toBe('- I like plan\n- I like chat\n')
    const listed = await notewright('memory', 'list')
    expect(listed.stdout).toBe('2  I like chat\n1  I like plan\n')
    const asked = await notewright('memory', 'forget', '1')
    expect(asked).toMatchObject({ code: 4 })
    const forgotten = await notewright('memory', 'forget', '1', '--yes', '--json')
    expect(JSON.parse(forgotten.stdout)).toMatchObject({ applied: true, forgotten: 'I like plan' })
    expect(await note()).toBe('- I like chat\n')
    await notewright('undo', JSON.parse(forgotten.stdout).id, '--yes')
    expect(await note()).toBe('- I like plan\n- I like chat\n')
  })

  it('exits with 4 and writes nothing if nobody can be asked', async () => {
    const { code } = await notewright('ask', '@memory I like rye', '--mode', 'plan')
    expect(code).toBe(4)
    await expect(note()).rejects.toThrow('ENOENT')
  })

  it('reports mistakes in one sentence', async () => {
    expect((await notewright('memory', 'list')).stderr).toContain('Nothing remembered yet')
    expect(await notewright('memory', 'forget', '7', '--yes')).toMatchObject({ code: 3 })
    expect(await notewright('memory', 'forget', 'x')).toMatchObject({ code: 2 })
    await writeFile(join(here.vault, 'Notewright memory.md'), '- one\n')
    const { code, stderr } = await notewright('memory', 'forget', '7', '--yes')
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('Memory 7 does not exist.\nChoose 1 to 1: notewright memory list'),
    ])
    const wrong = await notewright('config', 'set', 'memory.note', '../elsewhere.md')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('memory.note must be the path of a note')])
  })
})
