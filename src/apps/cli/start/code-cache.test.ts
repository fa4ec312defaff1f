import * as nodeCrypto from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import * as nodeFiles from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeCacheFile, readCompiled, writeCompiled } from './code-cache.js'
import { loadProgram } from './load-program.js'

describe('the code cache', () => {
  it('gives back what it was given, for its owner alone', () => {
    const { cache, file } = scratch()
    writeCompiled(file, new Map([one, another]))
    expect([...readCompiled(file)]).toEqual([one, another])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(cache, 'code')).mode & 0o777).toBe(0o700)
  })

  it('gives back nothing when a byte has changed, wherever it is', () => {
    const { file } = scratch()
    writeCompiled(file, new Map([one, another]))
    const whole = readFileSync(file)
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole)
      damaged[at] ^= 1
      writeFileSync(file, damaged)
      expect(readCompiled(file).size, `byte ${at}`).toBe(0)
      writeFileSync(file, whole.subarray(0, at))
      expect(readCompiled(file).size, `${at} bytes`).toBe(0)
    }
  })

  it('is not believed when others may write to it', () => {
    const { file } = scratch()
    writeCompiled(file, new Map([one]))
    chmodSync(file, 0o620)
    expect(readCompiled(file).size).toBe(0)
  })

  it('makes no cache folder of its own, for it may not be known yet whose folder that would be in', () => {
    const { cache } = scratch()
    writeCompiled(codeCacheFile(join(cache, 'missing')), new Map([one]))
    expect(existsSync(join(cache, 'missing'))).toBe(false)
  })

  it('does without a place to write', () => {
    const { cache } = scratch()
    writeFileSync(join(cache, 'code'), 'in the way')
    expect(() => writeCompiled(codeCacheFile(cache), new Map([one]))).not.toThrow()
  })
})

describe('a program of several files', () => {
  it('loads each file once, and remembers only what is new', () => {
    const { cache, file } = scratch()
    const entry = join(cache, 'entry.js')
    const program =
      "exports.both = [require('./part.js'), require('./part.js')]; exports.sep = require('node:path').sep"
    writeFileSync(entry, program)
    writeFileSync(join(cache, 'part.js'), 'exports.file = __filename')
    const first = loadProgram<{ both: [unknown, unknown]; sep: string }>(entry, cache)
    expect(first.exports.both[0]).toBe(first.exports.both[1])
    expect(first.exports.both[0]).toEqual({ file: join(cache, 'part.js') })
    expect(first.exports.sep).toBe('/')
    first.remember()
    expect(readCompiled(file).size).toBe(2)

    const { ino } = statSync(file)
    loadProgram(entry, cache).remember()
    expect(statSync(file).ino).toBe(ino)

    writeFileSync(entry, `${program};exports.changed = true`)
    const changed = loadProgram<{ changed: boolean }>(entry, cache)
    expect(changed.exports.changed).toBe(true)
    changed.remember()
    expect(readCompiled(file).size).toBe(3)
  })
})

describe("Node's own modules", () => {
  it('are the same whether they are loaded at once or when first used', () => {
    const { cache } = scratch()
    const entry = join(cache, 'entry.js')
    writeFileSync(entry, "exports.crypto = require('node:crypto'); exports.files = { ...require('fs/promises') }")
    const { crypto, files } = loadProgram<Record<string, Record<string, unknown>>>(entry, cache).exports
    expect(crypto.createHash).toBe(nodeCrypto.createHash)
    expect('createHash' in crypto && Object.hasOwn(crypto, 'createHash') && !('no such thing' in crypto)).toBe(true)
    expect(Object.keys(files).sort()).toEqual(
      Object.keys(nodeFiles)
        .filter((name) => name !== 'default')
        .sort(),
    )
    expect(files.readFile).toBe(nodeFiles.readFile)
  })
})

const one: [string, Buffer] = ['4-1', Buffer.from('some')]
const another: [string, Buffer] = ['5-2', Buffer.from('more!')]

function scratch(): { cache: string; file: string } {
  const cache = mkdtempSync(join(tmpdir(), 'notewright-code-'))
  return { cache, file: codeCacheFile(cache) }
}
