import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Stage, stage } from './cli-harness.js'
import { cutOff, meant } from './cut-off.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

const old = '# Soup\n\nTomato soup with basil: ![[Tomatoes]]\n'
const mine = '# Soup\n\nMy own words.\n'

describe('a change that was cut off, with a note of it edited meanwhile', () => {
  it('is named with its notes by status, history, doctor and the next answer, and refuses to be undone', async () => {
    const id = await cutOff(here, mine)
    const started = performance.now()
    const status = await here.run(['status', '--vault', here.vault])
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(status.stdout.replace(/\s+/g, ' ')).toContain('someone else had changed Kitchen/Soup.md')
    expect((await here.json('status')).value).toMatchObject({ unsettled: [{ id, notes: ['Kitchen/Soup.md'] }] })
    expect((await here.run(['history', '--vault', here.vault])).stdout).toContain('Kitchen/Soup.md: notewright settle')
    expect((await here.json('doctor')).value.checks).toContainEqual(
      expect.objectContaining({ check: 'Changes', state: 'warn', text: expect.stringContaining('Kitchen/Soup.md') }),
    )
    const { value } = await here.json('ask', 'What climbs poles?', '-m', 'offline')
    expect(value).toMatchObject({ notices: [expect.stringContaining('Kitchen/Soup.md')] })
    const undo = await here.json('undo', id, '--yes')
    expect(undo.value).toMatchObject({
      code: 'conflict',
      text: expect.stringContaining('Kitchen/Soup.md'),
      hint: 'Decide about it first.',
      command: `notewright settle ${id}`,
    })
    const said = (await here.run(['undo', id, '--yes', '--vault', here.vault])).stderr
    expect(said).toContain(`Decide about it first: notewright settle ${id}`)
    expect(await here.read('Kitchen/Soup.md')).toBe(mine)
    expect(await here.read('Garden/Love apples.md')).toContain('# Tomatoes')
  })

  it('is settled each way, and each way can be undone', async () => {
    const id = await cutOff(here, mine)
    const listed = await here.json('settle')
    expect(listed.value).toMatchObject({ unsettled: [{ id, went: 'finished', notes: ['Kitchen/Soup.md'] }] })

    const back = await here.json('settle', '--take-back', 'Kitchen/Soup.md', '--yes')
    expect(await here.read('Kitchen/Soup.md')).toBe(old)
    await here.json('undo', back.value.id, '--yes')
    expect(await here.read('Kitchen/Soup.md')).toBe(mine)

    const finished = await here.json('settle', id, '--finish', 'Kitchen/Soup.md', '--yes')
    expect(await here.read('Kitchen/Soup.md')).toBe(meant)
    await here.json('undo', finished.value.id, '--yes')

    await here.json('settle', '--keep', 'Kitchen/Soup.md')
    expect(await here.read('Kitchen/Soup.md')).toBe(mine)
    expect((await here.json('settle')).value).toMatchObject({ unsettled: [] })
    const unknown = await here.json('settle', '--keep', 'Kitchen/Soup.md')
    expect(unknown.value).toMatchObject({
      code: 'not-found',
      text: 'There is nothing to settle about Kitchen/Soup.md.',
    })
  })

  it('leaves temporary files that are recognised: unknown ones are named, known ones cleaned', async () => {
    const stray = `.notewright-${crypto.randomUUID()}-0.new.tmp`
    await here.write(stray, 'from another machine')
    expect((await here.run(['status', '--vault', here.vault])).stdout).toContain(stray)
    expect((await here.json('settle')).value).toMatchObject({ strayFiles: [stray] })
    expect(await here.read(stray)).toBe('from another machine')
  })
})
