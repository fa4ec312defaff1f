import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'
import { atTerminal, noPty, type PtyProgram } from './pty.js'

let here: Stage
let opened: PtyProgram[] = []
beforeEach(async () => {
  here = await stage()
})
afterEach(async () => {
  for (const each of opened) {
    each.kill()
    await each.exit()
  }
  opened = []
  await here.remove()
})

/** A call at a terminal, up to its question. */
function call(
  name: string,
  input: unknown,
  words: string[] = [],
  environment: Record<string, string> = {},
): PtyProgram {
  const command = [process.execPath, program, 'tool', 'call', name, '--input', JSON.stringify(input), ...words]
  const made = atTerminal([...command, '--vault', here.vault], { ...here.environment, ...environment })
  opened.push(made)
  return made
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const beans = 'Garden/Beans.md'
const edit = { path: beans, old_text: 'climb poles', new_text: 'climb strings' }
const before = '# Beans\n\nBeans climb poles and fix nitrogen. #garden\n'
const after = before.replace('poles', 'strings')

describe.skipIf(noPty !== undefined)(`an approval at a terminal${noPty ? ` (${noPty})` : ''}`, () => {
  it('y: shows the change with a word diff, then makes it and says how to undo it', async () => {
    const { send, sees, exit, raw } = call('edit_note', edit)
    const shown = await sees('[y/N]')
    expect(shown).toContain(`change ${beans}`)
    expect(shown).toMatch(/- +3 {2}Beans climb poles and fix nitrogen/)
    expect(shown).toMatch(/\+ +3 {2}Beans climb strings and fix nitrogen/)
    expect(raw()).toContain('\x1b[7mstrings\x1b[27m')
    expect(await here.read(beans)).toBe(before)
    send('y\r')
    await sees('To undo: notewright undo')
    expect(await exit()).toBe(0)
    expect(await here.read(beans)).toBe(after)
  })

  it.each([
    ['n', 'n\r'],
    ['Enter', '\r'],
    ['no', 'no\r'],
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('%s: changes nothing', async (_name, keys) => {
    const tree = await here.treeHash()
    const { send, sees, exit } = call('edit_note', edit)
    await sees('[y/N]')
    send(keys)
    expect([4, 130]).toContain(await exit())
    expect(await here.treeHash()).toBe(tree)
    const log = (await here.run(['log', '--json', '--vault', here.vault])).stdout.trim().split('\n')
    expect(JSON.parse(log.at(-1)!)).toMatchObject({ tool_name: 'edit_note', error: expect.anything() })
  })

  it('other input is not an answer', async () => {
    const { send, sees, exit } = call('edit_note', edit)
    await sees('[y/N]')
    send('maybe\r')
    await pause(300)
    expect(await here.read(beans)).toBe(before)
    send('\r')
    expect(await exit()).toBe(4)
    expect(await here.read(beans)).toBe(before)
  })

  it('Enter does not delete, and does not overwrite', async () => {
    const tree = await here.treeHash()
    for (const [name, input, text] of [
      ['delete_note', { path: beans }, 'You denied this.'],
      ['write_note', { path: beans, content: 'x' }, 'You denied overwriting it.'],
    ] as const) {
      const { send, sees, exit } = call(name, input)
      await sees('[y/N]')
      send('\r')
      await sees(text)
      expect(await exit()).toBe(4)
    }
    expect(await here.treeHash()).toBe(tree)
  })

  it('r: the reason reaches the model', async () => {
    const { send, sees, exit } = call('edit_note', edit, ['--json'])
    await sees('[y/N]')
    send('r\r')
    await sees(/Reason \(sent to the model\): $/)
    send('Beans need poles.\r')
    await sees('User cancelled tool execution: Beans need poles.')
    expect(await exit()).toBe(4)
    expect(await here.read(beans)).toBe(before)
  })

  it('s: shows the rule and continues', async () => {
    const { send, sees, exit } = call('edit_note', edit)
    await sees('[y/N]')
    send('s\r')
    expect(await sees('Choose a rule (1-')).toContain(`1  edit_note(${beans})`)
    send('1\r')
    expect(await exit()).toBe(0)
    expect(await here.read(beans)).toBe(after)
    const again = call('edit_note', { ...edit, old_text: 'strings', new_text: 'poles' })
    await again.sees('[y/N]')
  })

  it('a: shows the rule, stores exactly that rule, and does not ask again', async () => {
    const first = call('edit_note', edit)
    await first.sees('[y/N]')
    first.send('a\r')
    expect(await first.sees('Choose a rule (1-')).toContain(`1  edit_note(${beans})`)
    first.send('1\r')
    expect(await first.exit()).toBe(0)
    const { value } = await here.json('approvals', 'rules')
    expect(value).toMatchObject({ grants: [{ rule: `edit_note(${beans})`, scope: 'vault' }] })
    const second = call('edit_note', { ...edit, old_text: 'strings', new_text: 'poles' })
    expect(await second.exit()).toBe(0)
    expect(second.shown()).not.toContain('Approve?')
    expect(await here.read(beans)).toBe(before)
    const other = call('edit_note', { path: 'Kitchen/Beans.md', old_text: 'Soak', new_text: 'Boil' })
    await other.sees('[y/N]')
  })

  it('a, then Enter instead of a number: returns to the question and stores nothing', async () => {
    const { send, sees, exit } = call('edit_note', edit)
    await sees('[y/N]')
    send('a')
    await sees('Choose a rule (1-')
    // An Enter right behind an answer belongs to it.
    await pause(800)
    send('\r')
    await sees('[y/N]')
    send('n\r')
    expect(await exit()).toBe(4)
    expect((await here.json('approvals', 'rules')).value).toMatchObject({ grants: [] })
  })

  it('e: opens the arguments in the editor, asks again about the edited call, and informs the model', async () => {
    const editor = join(here.home, 'editor.sh')
    await here.run(['status', '--vault', here.vault])
    await writeFile(editor, '#!/bin/sh\nsed -i s/strings/wires/ "$1"\n')
    await chmod(editor, 0o755)
    const { send, sees, exit } = call('edit_note', edit, ['--json'], { EDITOR: editor })
    await sees('[y/N]')
    send('e\r')
    expect(await sees('[y/N]')).toContain('climb wires')
    expect(await here.read(beans)).toBe(before)
    send('y\r')
    expect(await sees('userEdited')).toContain('The user changed the arguments')
    expect(await exit()).toBe(0)
    expect(await here.read(beans)).toBe(before.replace('poles', 'wires'))
  })

  it('e, to invalid arguments: the failure is about the new arguments, and nothing happens', async () => {
    const editor = join(here.home, 'editor.sh')
    await here.run(['status', '--vault', here.vault])
    await writeFile(editor, '#!/bin/sh\nsed -i "s#Garden/Beans.md#../outside.md#" "$1"\n')
    await chmod(editor, 0o755)
    const { send, sees, exit } = call('edit_note', edit, [], { EDITOR: editor })
    await sees('[y/N]')
    send('e\r')
    await sees('Path must be within vault directory')
    expect(await exit()).toBe(2)
    expect(await here.read(beans)).toBe(before)
  })

  it('h: writes only the chosen parts', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`)
    await here.write('Long.md', `${lines.join('\n')}\n`)
    const changed = lines.map((line) => (/ (?:2|20)$/.test(line) ? `${line} changed` : line))
    const { send, sees, exit } = call('write_note', { path: 'Long.md', content: `${changed.join('\n')}\n` })
    await sees('h choose changes')
    send('h\r')
    expect(await sees('Which changes do you want to keep?')).toMatch(/1 {2}Long\.md:3[\s\S]*2 {2}Long\.md:21/)
    send('2\r')
    await sees('accepted 1 of 2')
    expect(await exit()).toBe(0)
    const expected = lines.map((line) => (line === 'line 20' ? `${line} changed` : line))
    expect(await here.read('Long.md')).toBe(`${expected.join('\n')}\n`)
  })

  it('file_read: shares the chosen files and names the others', async () => {
    const { send, sees, exit } = call('file_read', { filePaths: [beans, 'Kitchen/Beans.md', 'Missing.md'] })
    const shown = await sees('Which notes?')
    expect(shown).toContain(`1  ${beans}`)
    expect(shown).not.toContain('nitrogen')
    send('2\r')
    const answer = await sees(/File not found:\s+Missing\.md/)
    expect(answer).toContain('Soak the beans')
    expect(answer).toContain(`The user chose not to share: ${beans}`)
    expect(answer).not.toContain('nitrogen')
    expect(await exit()).toBe(0)
  })

  it('file_read: Enter shares nothing', async () => {
    const { send, sees, exit, shown } = call('file_read', { filePaths: [beans, 'Kitchen/Beans.md'] })
    await sees('Which notes?')
    send('\r')
    expect(await exit()).toBe(4)
    expect(shown()).not.toMatch(/nitrogen|Soak/)
  })

  it('rename_note: shows its effect on links first', async () => {
    const { send, sees, exit } = call('rename_note', { path: 'Garden/Tomatoes.md', new_path: 'Garden/Love apples.md' })
    const shown = await sees('[y/N]')
    expect(shown).toMatch(/move Garden\/Tomatoes\.md to Garden\/Love apples\.md/)
    expect(shown).toMatch(/links?/)
    send('y\r')
    expect(await exit()).toBe(0)
    expect(await here.read('Kitchen/Soup.md')).toContain('![[Love apples]]')
  })

  it('a note that someone changes during the request: exit code 6, and their text stays', async () => {
    const { send, sees, exit } = call('edit_note', edit)
    await sees('[y/N]')
    await here.write(beans, 'Saved by a person.\n')
    send('y\r')
    await sees('changed since the preview, so nothing was done.')
    expect(await exit()).toBe(6)
    expect(await here.read(beans)).toBe('Saved by a person.\n')
  })

  it('text that other programs would run needs its own approval, despite any grant', async () => {
    const content = '```dataviewjs\ndv.view("x")\n```\n'
    const { send, sees, exit } = call('write_note', { path: 'Made.md', content }, ['--approvals', 'auto'])
    expect(await sees('[y/N]')).toContain('dataviewjs block')
    send('\r')
    expect(await exit()).toBe(4)
    await expect(here.read('Made.md')).rejects.toThrow()
  })
})
