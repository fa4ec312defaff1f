import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StampedItem } from '../file-access.js'
import { quickStamps } from './quick-stamps.js'
import { stampsSource } from './stamps-bytes.js'

describe('the module for quick stamps', () => {
  it('is made from stamps.wat as it stands', () => {
    const source = readFileSync(new URL('./stamps.wat', import.meta.url))
    expect(createHash('sha256').update(source).digest('hex')).toBe(stampsSource)
  })
})

describe.skipIf(process.platform !== 'linux')('quick stamps', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'notewright-stamps-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('are those that lstat gives, bit by bit', () => {
    writeFileSync(join(root, 'a.md'), 'four')
    writeFileSync(join(root, '東京 – café.md'), '')
    writeFileSync(join(root, '.hidden'), 'x'.repeat(100_000))
    for (const [name, time] of [
      ['old.md', 1_234_567_890.123_456],
      ['first.md', 0],
      ['later.md', 4_102_444_800.999_999],
    ] as const) {
      writeFileSync(join(root, name), name)
      utimesSync(join(root, name), time, time)
    }
    mkdirSync(join(root, 'folder'))
    symlinkSync('a.md', join(root, 'link.md'))
    symlinkSync('nowhere', join(root, 'broken.md'))
    execFileSync('mkfifo', [join(root, 'pipe.md')])
    expect(byName(quickStamps(root))).toEqual(byName(askedOneByOne(root)))
    expect(quickStamps(root)?.map(({ kind }) => kind)).toContain('other')
  })

  it('are complete in a folder whose names fill the room several times', () => {
    for (let number = 0; number < 12_000; number++) writeFileSync(join(root, `${number}`.padStart(200, 'x')), '')
    expect(byName(quickStamps(root))).toEqual(byName(askedOneByOne(root)))
  })

  it('are of an empty folder none', () => {
    expect(quickStamps(root)).toEqual([])
  })

  it('leave to Node what is not there, not a folder, too long, or not Unicode', () => {
    writeFileSync(join(root, 'a.md'), '')
    mkdirSync(join(root, 'folder'))
    expect(quickStamps(join(root, 'missing'))).toBeUndefined()
    expect(quickStamps(join(root, 'a.md'))).toBeUndefined()
    expect(quickStamps(`${root}/${'long/'.repeat(2000)}`)).toBeUndefined()
    writeFileSync(Buffer.concat([Buffer.from(`${root}/folder/`), Buffer.from([0xff, 0x2e])]), '')
    expect(quickStamps(join(root, 'folder'))).toBeUndefined()
  })

  it('leave nothing open and nobody silenced', () => {
    const { emitWarning } = process
    quickStamps(root)
    const open = readdirSync('/proc/self/fd').length
    for (let turn = 0; turn < 100; turn++) {
      quickStamps(root)
      quickStamps(join(root, 'missing'))
    }
    expect(readdirSync('/proc/self/fd')).toHaveLength(open)
    expect(process.emitWarning).toBe(emitWarning)
  })
})

function askedOneByOne(folder: string): StampedItem[] {
  return readdirSync(folder).map((name) => {
    const stat = lstatSync(join(folder, name))
    const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other'
    return { name, kind, size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs }
  })
}

function byName(items: StampedItem[] | undefined): StampedItem[] | undefined {
  return items?.sort((a, b) => (a.name < b.name ? -1 : 1))
}
