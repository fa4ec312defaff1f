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
import { fileLanes, folderLanes } from '../../../../core/vault/index.js'
import type { HashedItem } from '../file-access.js'
import { hashesSource } from './hashes-bytes.js'
import { quickHashes } from './quick-hashes.js'

const lanes = folderLanes('some/folder')

describe('the module for quick hashes', () => {
  it('is made from hashes.wat as it stands', () => {
    const source = readFileSync(new URL('./hashes.wat', import.meta.url))
    expect(createHash('sha256').update(source).digest('hex')).toBe(hashesSource)
  })
})

describe.skipIf(process.platform !== 'linux')('quick hashes', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'notewright-hashes-'))
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it('are those of the stamps that lstat gives', () => {
    writeFileSync(join(root, 'a.md'), 'four')
    writeFileSync(join(root, '東京 – café.md'), '')
    for (let length = 1; length < 20; length++) writeFileSync(join(root, 'n'.repeat(length)), 'x'.repeat(length * 777))
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
    expect(byName(quickHashes(root, lanes))).toEqual(byName(askedOneByOne(root)))
    expect(quickHashes(root, lanes)?.map(({ kind }) => kind)).toContain('other')
  })

  it('are complete in a folder whose names fill the room several times', () => {
    for (let number = 0; number < 12_000; number++) writeFileSync(join(root, `${number}`.padStart(200, 'x')), '')
    expect(byName(quickHashes(root, lanes))).toEqual(byName(askedOneByOne(root)))
  })

  it('are of an empty folder none', () => {
    expect(quickHashes(root, lanes)).toEqual([])
  })

  it('leave to Node what is not there, not a folder, too long, or not Unicode', () => {
    writeFileSync(join(root, 'a.md'), '')
    mkdirSync(join(root, 'folder'))
    expect(quickHashes(join(root, 'missing'), lanes)).toBeUndefined()
    expect(quickHashes(join(root, 'a.md'), lanes)).toBeUndefined()
    expect(quickHashes(`${root}/${'long/'.repeat(2000)}`, lanes)).toBeUndefined()
    writeFileSync(Buffer.concat([Buffer.from(`${root}/folder/`), Buffer.from([0xff, 0x2e])]), '')
    expect(quickHashes(join(root, 'folder'), lanes)).toBeUndefined()
  })

  it('leave nothing open and nobody silenced', () => {
    const { emitWarning } = process
    quickHashes(root, lanes)
    const open = readdirSync('/proc/self/fd').length
    for (let turn = 0; turn < 100; turn++) {
      quickHashes(root, lanes)
      quickHashes(join(root, 'missing'), lanes)
    }
    expect(readdirSync('/proc/self/fd')).toHaveLength(open)
    expect(process.emitWarning).toBe(emitWarning)
  })
})

function askedOneByOne(folder: string): HashedItem[] {
  return readdirSync(folder).map((name) => {
    const stat = lstatSync(join(folder, name))
    const kind = stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'other'
    return { name, kind, ...fileLanes(lanes, name, stat) }
  })
}

function byName(items: HashedItem[] | undefined): HashedItem[] | undefined {
  return items?.sort((a, b) => (a.name < b.name ? -1 : 1))
}
