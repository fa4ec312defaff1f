import * as fs from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { openFile } from './connection.js'

let mostAtOnce = Number.POSITIVE_INFINITY
let isUnreadable = false

vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof fs>()
  const readSync = (file: number, into: Uint8Array, offset: number, length: number, position: number) => {
    if (isUnreadable) throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    return original.readSync(file, into, offset, Math.min(length, mostAtOnce), position)
  }
  return { ...original, readSync, closeSync: vi.fn(original.closeSync), openSync: vi.fn(original.openSync) }
})

const folder = mkdtempSync(join(tmpdir(), 'notewright-open-file-'))
const file = join(folder, 'index.db')

afterEach(() => {
  mostAtOnce = Number.POSITIVE_INFINITY
  isUnreadable = false
  rmSync(folder, { recursive: true, force: true })
})

it('an index does not count as damaged where the disk returns its header in pieces', () => {
  openFile(file).driver.close()
  mostAtOnce = 16
  const { driver, rebuiltBecause } = openFile(file)
  driver.close()
  expect(rebuiltBecause).toBeUndefined()
})

it('an index whose header cannot be read leaves no file open', () => {
  openFile(file).driver.close()
  vi.mocked(fs.openSync).mockClear()
  vi.mocked(fs.closeSync).mockClear()
  isUnreadable = true
  expect(() => openFile(file)).toThrow()
  const opened = vi.mocked(fs.openSync).mock.results.map(({ value }) => value)
  expect(opened.length).toBeGreaterThan(0)
  for (const descriptor of opened) expect(fs.closeSync).toHaveBeenCalledWith(descriptor)
})
