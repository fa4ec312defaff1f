import type * as promises from 'node:fs/promises'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { maxAttachedBytes } from '../../../core/files.js'
import { readAttachments } from './ask.js'

/** Maximum bytes per read, to simulate a network drive. */
let mostAtOnce = Number.POSITIVE_INFINITY

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof promises>()
  return {
    ...original,
    async open(...given: Parameters<typeof original.open>) {
      const handle = await original.open(...given)
      const read = handle.read.bind(handle) as (...rest: unknown[]) => Promise<unknown>
      const short = (into: Uint8Array, offset: number, length: number, position: number) =>
        read(into, offset, Math.min(length, mostAtOnce), position)
      return Object.assign(handle, { read: short })
    },
  }
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notewright-attachments-'))
})
afterEach(async () => {
  mostAtOnce = Number.POSITIVE_INFINITY
  await rm(folder, { recursive: true, force: true })
})

async function written(name: string, content: Uint8Array | string): Promise<string> {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

it.each([1, 7, 4096, 100_000])(
  'an attachment is read whole where the disk returns %i bytes at a time',
  async (most) => {
    const content = Uint8Array.from({ length: Math.min(most * 50, 200_000) + 3 }, (_, at) => at % 251)
    const file = await written('scan.pdf', content)
    mostAtOnce = most
    const [read] = await readAttachments([file])
    expect(read.name).toBe('scan.pdf')
    expect(Buffer.compare(read.bytes, content)).toBe(0)
  },
)

it('attachments are read in their order, empty ones too', async () => {
  const files = [await written('a.txt', 'one'), await written('b.txt', ''), await written('c.txt', 'three')]
  const read = await readAttachments(files)
  expect(read.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
    ['a.txt', 'one'],
    ['b.txt', ''],
    ['c.txt', 'three'],
  ])
})

it('attachments that are too large together are refused by the name of the one that is too much', async () => {
  const files = [await written('a.bin', new Uint8Array(maxAttachedBytes)), await written('b.bin', 'x')]
  await expect(readAttachments(files)).rejects.toMatchObject({ code: 'too-large', message: /b\.bin/ })
  await expect(readAttachments([folder])).rejects.toMatchObject({ code: 'invalid-input' })
  await expect(readAttachments([join(folder, 'gone')])).rejects.toMatchObject({ code: 'not-found' })
})
