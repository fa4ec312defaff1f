import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { servePage, signIn } from '../web-app/served-page.js'
import { type Stage, stage } from './cli-harness.js'
import { cutOff, meant } from './cut-off.js'
import { startMcp } from './mcp-client.js'
import { serving } from './serving.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

const old = '# Soup\n\nTomato soup with basil: ![[Tomatoes]]\n'
const mine = '# Soup\n\nMy own words.\n'

describe('an interrupted change with a note that was edited in the meantime', () => {
  it('is reported with its notes by status, history, doctor and the next answer, and cannot be undone', async () => {
    const id = await cutOff(here, mine)
    const status = await here.run(['status', '--vault', here.vault])
    expect(status.stdout.replace(/\s+/g, ' ')).toContain(
      'except in notes that were edited in the meantime: Kitchen/Soup.md',
    )
    expect((await here.json('status')).value).toMatchObject({ unsettled: [{ id, notes: ['Kitchen/Soup.md'] }] })
    expect((await here.run(['history', '--vault', here.vault])).stdout).toContain('Kitchen/Soup.md: notewright recover')
    expect((await here.json('doctor')).value.checks).toContainEqual(
      expect.objectContaining({ check: 'Changes', state: 'warn', text: expect.stringContaining('Kitchen/Soup.md') }),
    )
    const { value } = await here.json('ask', 'What climbs poles?', '-m', 'offline')
    expect(value).toMatchObject({ notices: [expect.stringContaining('Kitchen/Soup.md')] })
    const undo = await here.json('undo', id, '--yes')
    expect(undo.value).toMatchObject({
      code: 'conflict',
      text: expect.stringContaining('Kitchen/Soup.md'),
      hint: 'Choose what to keep in these notes first.',
      command: `notewright recover ${id}`,
    })
    const said = (await here.run(['undo', id, '--yes', '--vault', here.vault])).stderr
    expect(said).toContain(`Choose what to keep in these notes first: notewright recover ${id}`)
    expect(await here.read('Kitchen/Soup.md')).toBe(mine)
    expect(await here.read('Garden/Love apples.md')).toContain('# Tomatoes')
  })

  it.each([
    ['--undo', old],
    ['--finish', meant],
  ])('is resolved with %s, which can be undone', async (way, text) => {
    const id = await cutOff(here, mine)
    const decided = await here.json('recover', id.slice(0, 8), way, 'Kitchen/Soup.md', '--yes')
    expect(await here.read('Kitchen/Soup.md')).toBe(text)
    await here.json('undo', decided.value.id, '--yes')
    expect(await here.read('Kitchen/Soup.md')).toBe(mine)
    expect((await here.json('recover')).value).toMatchObject({ unsettled: [{ id }] })
  })

  it('is listed until the note is kept as it is', async () => {
    const id = await cutOff(here, mine)
    const listed = await here.json('recover')
    expect(listed.value).toMatchObject({ unsettled: [{ id, went: 'finished', notes: ['Kitchen/Soup.md'] }] })
    await here.json('recover', '--keep', 'Kitchen/Soup.md')
    expect(await here.read('Kitchen/Soup.md')).toBe(mine)
    expect((await here.json('recover')).value).toMatchObject({ unsettled: [] })
    const unknown = await here.json('recover', '--keep', 'Kitchen/Soup.md')
    expect(unknown.value).toMatchObject({
      code: 'not-found',
      text: 'Kitchen/Soup.md has nothing to resolve.',
    })
  })

  it('leaves temporary files: known ones are removed, unknown ones are reported', async () => {
    const stray = `.notewright-${crypto.randomUUID()}-0.new.tmp`
    await here.write(stray, 'from another machine')
    expect((await here.run(['status', '--vault', here.vault])).stdout).toContain(stray)
    expect((await here.json('recover')).value).toMatchObject({ strayFiles: [stray] })
    expect(await here.read(stray)).toBe('from another machine')
  })
})

describe('a change that a crash interrupted and the next start completed', () => {
  const sentence = '“Move Tomatoes to Love apples” was interrupted by a crash and has been completed (2 files).'

  it('is reported by status, doctor and the first line of an answer, until the next change', async () => {
    const id = await cutOff(here, old)
    const { value: status } = await here.json('status')
    expect(status).toMatchObject({ unsettled: [], recovered: [{ id, went: 'finished' }] })
    const printed = (await here.run(['status', '--vault', here.vault])).stdout
    expect(printed.replace(/\s+/g, ' ')).toContain(sentence)
    expect((await here.json('doctor')).value.checks).toContainEqual(
      expect.objectContaining({ check: 'Changes', state: 'ok', text: sentence }),
    )
    const ask = ['ask', 'What climbs poles?', '-m', 'offline', '--vault', here.vault]
    expect((await here.run(ask)).stderr.split('\n')[0]).toBe(sentence)
    await here.run(['move', 'Orphan', 'Lonely', '--yes', '--vault', here.vault])
    expect((await here.run(ask)).stderr).not.toContain('interrupted')
    expect((await here.json('status')).value).toMatchObject({ recovered: [{ id }] })
  })

  it('is reported by the MCP server, serve and the page when they start', async () => {
    await cutOff(here, old)
    const client = await startMcp(['--vault', here.vault], here.environment)
    await client.call('read_note', { path: 'Home' })
    await client.close()
    expect(client.stderr().split('\n')[0]).toBe(sentence)
    const served = await serving(here)
    await served.stop()
    expect(served.messages()).toContain(sentence)
    const page = await servePage(here)
    const overview = await fetch(`${page.url}/api/overview`, { headers: await signIn(page) })
    expect(await overview.json()).toMatchObject({ recovery: sentence })
    await page.stop()
    expect(page.messages()).toContain(sentence)
  })
})
