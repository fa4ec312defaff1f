import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'

/** What V8 made of our files the last time, by the file's fingerprint. */
export type CompiledFiles = Map<string, Buffer>

/** One file for each V8: another one refuses what this one made. */
export function codeCacheFile(folder: string): string {
  return join(folder, 'code', `${process.versions.v8}-${process.arch}`)
}

export const fingerprint = (source: string): string => `${source.length}-${crc32(source)}`

/**
 * What was compiled before; nothing where there is none. V8 runs what it is given, so a file that others could have
 * written, or that is damaged, is left alone.
 */
export function readCompiled(file: string): CompiledFiles {
  try {
    const bytes = readOwn(file)
    const headerEnd = 8 + bytes.readUInt32LE(4)
    if (crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0)) return new Map()
    const places: [string, number, number][] = JSON.parse(bytes.toString('latin1', 8, headerEnd))
    return new Map(
      places.map(([name, from, size]) => [name, bytes.subarray(headerEnd + from, headerEnd + from + size)]),
    )
  } catch {
    return new Map()
  }
}

/** Best effort: without it the next start takes a little longer. Where there is no cache folder yet, none is made. */
export function writeCompiled(file: string, files: CompiledFiles): void {
  const places: [string, number, number][] = []
  let size = 0
  for (const [name, { length }] of files) {
    places.push([name, size, length])
    size += length
  }
  const header = Buffer.from(JSON.stringify(places), 'latin1')
  const content = Buffer.concat([Buffer.alloc(8), header, ...files.values()])
  content.writeUInt32LE(header.length, 4)
  content.writeUInt32LE(crc32(content.subarray(4)), 0)
  const draft = `${file}.${process.pid}`
  try {
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { mode: 0o700 })
    chmodSync(dirname(file), 0o700)
    writeFileSync(draft, content, { mode: 0o600 })
    renameSync(draft, file)
  } catch {
    try {
      // A full disk may have left half of it.
      rmSync(draft, { force: true })
    } catch {
      // Where nothing can be written, nothing was.
    }
  }
}

function readOwn(file: string): Buffer {
  const opened = openSync(file, 'r')
  try {
    const { uid, mode } = fstatSync(opened)
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    if (!isOwn) throw new Error('This file belongs to someone else.')
    return readFileSync(opened)
  } finally {
    closeSync(opened)
  }
}
