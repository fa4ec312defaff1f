import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { copyText, editText } from './user-programs.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notewright-programs-'))
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

async function script(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, `#!/bin/sh\n${text}\n`)
  await chmod(file, 0o755)
  return file
}

const hostile = 'a "b" $(touch hit) `id` ; c\nd'

describe.skipIf(process.platform === 'win32')('copying a text', () => {
  const copy = async (environment: Record<string, string>, platform = 'linux', text = hostile) => {
    const sequences: string[] = []
    const copied = await copyText(text, { environment, platform, write: (sequence) => sequences.push(sequence) })
    return { copied, sequences }
  }

  it('hands it to the program of the platform on standard input', async () => {
    await script('wl-copy', `cat > "${join(folder, 'clip')}"`)
    expect(await copy({ WAYLAND_DISPLAY: 'wayland-0' })).toEqual({
      copied: { by: 'program', program: 'wl-copy' },
      sequences: [],
    })
    expect(await readFile(join(folder, 'clip'), 'utf8')).toBe(hostile)
  })

  it('asks the terminal where no program is there, where one fails, and over SSH', async () => {
    const sequence = `\x1b]52;c;${Buffer.from(hostile).toString('base64')}\x07`
    const byTerminal = { copied: { by: 'terminal' }, sequences: [sequence] }
    expect(await copy({})).toEqual(byTerminal)
    await script('pbcopy', 'exit 1')
    expect(await copy({}, 'darwin')).toEqual(byTerminal)
    await script('wl-copy', 'cat > /dev/null')
    expect(await copy({ WAYLAND_DISPLAY: 'wayland-0', SSH_TTY: '/dev/pts/1' })).toEqual(byTerminal)
  })

  it('does not send the terminal more than it takes', async () => {
    expect(await copy({}, 'linux', 'x'.repeat(60_000))).toEqual({ copied: { by: 'none' }, sequences: [] })
  })
})

describe.skipIf(process.platform === 'win32')('editing a text', () => {
  const { signal } = new AbortController()

  it('starts the editor with its options and the file, and reads what it leaves', async () => {
    const editor = await script('ed-test', `[ "$1" = --wait ] && printf 'changed' >> "$2"`)
    expect(await editText(`${editor} --wait`, { name: 'question.md', text: hostile }, signal)).toBe(`${hostile}changed`)
  })

  it('changes nothing where the editor fails or is not there', async () => {
    const editor = await script('ed-test', 'exit 3')
    expect(await editText(editor, { name: 'question.md', text: 'x' }, signal)).toBeUndefined()
    expect(await editText(join(folder, 'none'), { name: 'question.md', text: 'x' }, signal)).toBeUndefined()
  })
})
