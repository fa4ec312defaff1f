import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Stage, stage } from './cli-harness.js'

let here: Stage

beforeEach(async () => {
  here = await stage()
  await here.write('Projects/Plants.md', '---\nnotewright: project\nfolders: [Garden]\nconsent: auto\n---\nBe brief.\n')
})
afterEach(() => here.remove())

const notewright = (...words: string[]) => here.run([...words, '--vault', here.vault])

describe('notewright projects', () => {
  it('lists, shows and checks them', async () => {
    const listed = await notewright('projects', 'list', '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject({ projects: [{ name: 'Plants', from: 'Projects/Plants.md' }] })
    const shown = JSON.parse((await notewright('projects', 'show', 'plants', '--json')).stdout)
    expect(shown).toMatchObject({ name: 'Plants', says: { folders: ['Garden'], instructions: 'Be brief.' } })
    expect(shown.notices).toEqual([expect.stringContaining('asks for the approval level auto. This was ignored')])
    expect(shown.notes).toContain('Garden/Tomatoes.md')
    const checked = await notewright('projects', 'check')
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('! Plants: ')])
    await here.write('Projects/Broken.md', '---\nnotewright: project\nfolders: [Gardn]\ntools: [red_note]\n---\n')
    const broken = await notewright('projects', 'check')
    expect(broken.code).toBe(1)
    expect(broken.stdout).toMatch(/✗ Broken: there is no folder Gardn; did you mean Garden\?/)
    expect(broken.stdout).toMatch(/✗ Broken: there is no tool red_note; did you mean read_note\?/)
  })

  it('limits a question to a project, and reports a wrong name', async () => {
    const found = await notewright('ask', 'late blight', '--project', 'Plants')
    expect(found.stdout).toContain('warm rain in August')
    const unseen = await notewright('tool', 'call', 'read_note', '--input', '{"path":"Home.md"}', '--project', 'Plants')
    expect([unseen.code, unseen.stderr]).toEqual([3, expect.stringContaining('Note not found: Home.md')])
    const outside = await notewright(
      ...['tool', 'call', 'write_note', '--input', '{"path":"New.md","content":"x"}', '--project', 'Plants', '--yes'],
    )
    expect([outside.code, outside.stderr]).toEqual([4, expect.stringContaining('New.md is outside the project Plants')])
    const missing = await notewright('ask', 'x', '--project', 'Plnts')
    expect([missing.code, missing.stderr]).toEqual([
      3,
      expect.stringContaining('Did you mean Plants? (notewright projects list)'),
    ])
    await here.write('Other/Plants.md', '---\nnotewright: project\ntags: x\n---\n')
    expect(await notewright('ask', 'x', '--project', 'Plants')).toMatchObject({ code: 2 })
  })

  it('reads projects from the settings', async () => {
    await notewright('config', 'set', 'projects.beds.folders', 'Garden')
    expect(JSON.parse((await notewright('projects', 'show', 'beds', '--json')).stdout)).toMatchObject({
      from: 'settings',
    })
    const wrong = await notewright('config', 'set', 'projects.beds.consent', 'never')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('projects.beds.consent must be')])
  })
})
