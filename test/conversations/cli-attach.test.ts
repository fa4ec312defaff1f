import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Stage, stage } from '../e2e/cli-harness.js'
import { modelServer } from '../e2e/model-server.js'

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
  it('takes text files along, each in an envelope of its own', async () => {
    const { code, sent } = await attach({ 'a.txt': 'Late frost.', 'b.csv': 'bed,crop\n5,garlic' })
    expect(code).toBe(0)
    expect(sent).toMatch(/<<\w+ a\.txt\\n[^>]*Late frost\./)
    expect(sent).toMatch(/<<\w+ b\.csv\\n[^>]*5,garlic/)
  })

  it.each([
    ['what is not there', {}, ['none.txt'], 3, 'There is no file'],
    [
      'a picture with the name of a text',
      { 'a.txt': Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10) },
      ['a.txt'],
      2,
      'PNG picture',
    ],
    ['a PDF', { 'a.pdf': '%PDF-1.7\n' }, ['a.pdf'], 2, 'is a PDF'],
    ['bytes that are no text', { 'a.bin': Uint8Array.of(1, 0, 2, 0xff, 0xfe) }, ['a.bin'], 1, 'is not text'],
    ['too much', { 'a.txt': 'x'.repeat(400_001) }, ['a.txt'], 1, 'all attached files together'],
  ])('refuses %s, and nothing is sent', async (_what, files, named, code, words) => {
    const ran = await attach(files as Record<string, string>, named)
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(words)])
    expect(ran.sent).toBe('[]')
  })
})
