import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pngOf, sampleFiles } from '../samples/sample-files.js'
import { type Stage, stage } from './cli-harness.js'
import { modelServer } from './model-server.js'

let here: Stage

beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

async function attach(files: Record<string, string | Uint8Array>, named = Object.keys(files)) {
  await mkdir(here.home, { recursive: true })
  for (const [name, content] of Object.entries(files)) await writeFile(join(here.home, name), content)
  const server = await modelServer({ say: 'Read.' })
  const flags = named.flatMap((name) => ['--attach', join(here.home, name)])
  const words = ['ask', 'what is this?', ...flags, '-m', 'compatible/test', '--vault', here.vault]
  try {
    const ran = await here.run(words, { environment: server.environment })
    return { ...ran, sent: JSON.stringify(server.prompts()) }
  } finally {
    await server.stop()
  }
}

describe('ask --attach', () => {
  it('sends text files, each in its own envelope', async () => {
    const { code, sent } = await attach({ 'a.txt': 'Late frost.', 'b.csv': 'bed,crop\n5,garlic' })
    expect(code).toBe(0)
    expect(sent).toMatch(/<<\w+ a\.txt\\n[^>]*Late frost\./)
    expect(sent).toMatch(/<<\w+ b\.csv\\n[^>]*5,garlic/)
  })

  it('names a picture and a PDF for a model that cannot see them', async () => {
    const { png, pdf } = sampleFiles
    const { code, sent, stderr } = await attach({ 'a.txt': png, 'b.pdf': pdf })
    expect(code).toBe(0)
    expect(sent).toMatch(/PNG picture, 1 × 1\]\\nYou cannot see it/)
    expect(stderr).toContain("a.txt was not sent: compatible/test doesn't accept pictures.")
    expect(stderr).toContain("b.pdf was not sent: compatible/test doesn't accept PDFs.")
  })

  it('sends a picture if the user says that the model sees pictures, and logs it', async () => {
    await here.run(['config', 'set', 'models.compatible/test.pictures', 'true'])
    const { code, sent, stderr } = await attach({ 'a.png': sampleFiles.png })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('not sent')])
    expect(sent).toContain(`data:image/png;base64,${Buffer.from(sampleFiles.png).toString('base64')}`)
    const { stdout } = await here.run(['log', '--egress', '--json', '--vault', here.vault])
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({ notes: [], files: ['a.png'] })
    const again = await modelServer({ say: 'Still there.' })
    try {
      const words = ['chat', '-c', '-m', 'compatible/test', '--vault', here.vault]
      await here.run(words, { input: 'And now?\n', environment: again.environment })
      expect(JSON.stringify(again.prompts())).toContain('data:image/png;base64,')
    } finally {
      await again.stop()
    }
    const { stdout: exported } = await here.run(['sessions', 'export', 'what is this', '--vault', here.vault])
    expect(exported).toContain('Attached: a.png')
  })

  it('refuses files of the vault that may not be read', async () => {
    await here.write('.notewrightignore', 'Closed/\n')
    await here.write('Closed/plan.txt', 'CANARY')
    for (const [path, code] of [
      ['Closed/plan.txt', 4],
      ['Secret.md', 4],
      ['Home.md', 0],
    ] as const) {
      const server = await modelServer({ say: 'Read.' })
      const words = ['ask', 'what?', '--attach', join(here.vault, path), '-m', 'compatible/test', '--vault', here.vault]
      const ran = await here.run(words, { environment: server.environment })
      await server.stop()
      expect([path, ran.code]).toEqual([path, code])
      expect(server.prompts()).toHaveLength(code === 0 ? 1 : 0)
    }
  })

  it.each([
    ['what is not there', {}, ['none.txt'], 3, 'File not found: '],
    [
      'a damaged picture with the name of a text',
      { 'a.txt': sampleFiles.png.subarray(0, 40) },
      ['a.txt'],
      2,
      'a damaged or incomplete PNG picture',
    ],
    ['a damaged PDF', { 'a.pdf': '%PDF-1.7\n' }, ['a.pdf'], 2, 'incomplete PDF'],
    ['an empty file', { 'a.txt': '' }, ['a.txt'], 2, 'a.txt is empty'],
    ['bytes that are no text', { 'a.bin': Uint8Array.of(1, 0, 2, 0xff, 0xfe) }, ['a.bin'], 1, 'neither text nor'],
    ['too much text', { 'a.txt': 'x'.repeat(400_001) }, ['a.txt'], 1, 'attached texts'],
    ['too much', { 'a.png': pngOf(9, 9, 20e6) }, ['a.png'], 1, 'can be at most 20.0 MB'],
  ])('refuses %s, and nothing is sent', async (_what, files, named, code, words) => {
    const ran = await attach(files as Record<string, string>, named)
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(words)])
    expect(ran.sent).toBe('[]')
  })
})
