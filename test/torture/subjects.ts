import { hash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Change, NotePath } from '../../src/core/vault/index.js'

/** Something to change over and over: each version is recognisable, and so is every mixture of two. */
export interface Subject {
  name: string
  write(root: string): void
  /** The change set that leads from one version to the next. */
  changes(version: number): Change[]
  /** The version that these files are, exactly; undefined when they are torn, missing or mixed. */
  versionOf(files: Map<string, Buffer>): number | undefined
}

const sha256 = (bytes: Buffer) => hash('sha256', bytes)
const path = (text: string) => text as NotePath

/** One note of 8 MB, replaced as a whole. */
export const oneLargeFile: Subject = {
  name: '8 MB note',
  write: (root) => {
    mkdirSync(root, { recursive: true })
    writeFileSync(join(root, 'big.md'), large(0))
  },
  changes: (version) => [
    { kind: 'edit', path: path('big.md'), before: sha256(large(version)), after: large(version + 1) },
  ],
  versionOf(files) {
    const bytes = files.get('big.md')
    if (files.size !== 1 || bytes === undefined) return undefined
    const version = Number.parseInt(bytes.toString('latin1', 0, 10), 10)
    return large(version).equals(bytes) ? version : undefined
  },
}

/** A hub and 299 notes that link to it: the hub is renamed, the links are rewritten. */
export const manyFiles: Subject = {
  name: '300-file rename',
  write: (root) => {
    for (let folder = 0; folder < 10; folder++) mkdirSync(join(root, `f${folder}`), { recursive: true })
    writeFileSync(join(root, hub(0)), 'the hub\n')
    for (let note = 0; note < 299; note++) writeFileSync(join(root, linking(note)), text(note, 0))
  },
  changes: (version) => [
    { kind: 'move', path: path(hub(version)), to: path(hub(version + 1)), before: sha256(Buffer.from('the hub\n')) },
    ...Array.from({ length: 299 }, (_, note): Change => {
      const before = sha256(text(note, version))
      return { kind: 'edit', path: path(linking(note)), before, after: text(note, version + 1) }
    }),
  ],
  versionOf(files) {
    const name = [...files.keys()].find((file) => file.startsWith('hub'))
    const version = Number(name?.match(/^hub (\d+)\.md$/)?.[1] ?? Number.NaN)
    if (files.size !== 300 || Number.isNaN(version)) return undefined
    for (let note = 0; note < 299; note++) {
      if (!files.get(linking(note))?.equals(text(note, version))) return undefined
    }
    return version
  },
}

export const subjects = [oneLargeFile, manyFiles]

function large(version: number): Buffer {
  const line = `${String(version).padStart(10)} ${'x'.repeat(116)}\n`
  return Buffer.from(line.repeat((8 << 20) >> 7))
}

const hub = (version: number) => `hub ${version}.md`
const linking = (note: number) => `f${note % 10}/note ${note}.md`

function text(note: number, version: number): Buffer {
  return Buffer.from(`# Note ${note}\n\nSee [[hub ${version}]] ${'and more '.repeat(200)}\n`)
}
