import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { Failure, type FailureCode } from '../../src/core/errors.js'
import { editFrontmatter, parseNote } from '../../src/core/markdown/index.js'
import {
  type AppliedChangeSet,
  type Change,
  changeSet,
  type NoteFile,
  newNotePath,
  notePath,
} from '../../src/core/vault/index.js'
import { type FolderNotebook, openFolderNotebook } from '../../src/hosts/node/open-notebook.js'
import { placeOf } from './place-of.js'

/** A vault on the disk, its neighbours, a state folder of its own, and the case file's tool words for this floor. */
export interface Floor {
  base: string
  /** `$V`, `$O` and `$E` of the cases. */
  vault: string
  outside: string
  evil: string
  /** Journal and index live below. */
  home: string
  notebook: FolderNotebook
  tools: Tools
  put(path: string, content: string | Uint8Array): void
  bytes(path: string): Buffer
  /** Opens everything anew, as the next process would. */
  reopen(): Promise<void>
}

/** The tools that other layers offer to models, as this layer implements them. */
export interface Tools {
  read_note(path: string): Promise<NoteFile>
  /** Without `overwrite` it only creates. */
  write_note(path: string, content: string, how?: { overwrite: boolean }): Promise<AppliedChangeSet>
  append(path: string, text: string): Promise<AppliedChangeSet>
  update_frontmatter(path: string, updates: Record<string, unknown>): Promise<AppliedChangeSet>
  rename_note(from: string, to: string): Promise<AppliedChangeSet>
  delete_note(path: string): Promise<AppliedChangeSet>
  get_note_metadata(path: string): Promise<{ properties: Record<string, unknown> | null; errors: string[] }>
  list_backlinks(path: string): Promise<string[]>
  search_notes(query: string): Promise<string[]>
  search_by_tag(tag: string): Promise<string[]>
}

/** Opens a floor for the time of `use`, and takes everything away afterwards. */
export async function onFloor(files: Record<string, string | Uint8Array>, use: (floor: Floor) => Promise<void>) {
  const base = scratchFolder()
  const floor = await openFloor(base, files)
  try {
    await use(floor)
  } finally {
    await floor.notebook.close()
    rmSync(base, { recursive: true, force: true })
  }
}

export async function openFloor(base: string, files: Record<string, string | Uint8Array>): Promise<Floor> {
  const [vault, outside, home] = ['vault', 'outside', 'home'].map((name) => join(base, name))
  const evil = `${vault}-evil`
  for (const folder of [vault, outside, evil]) mkdirSync(folder, { recursive: true })
  const open = () => openFolderNotebook(placeOf(vault, home))
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(vault, path)), { recursive: true })
    writeFileSync(join(vault, path), content)
  }
  for (const [path, content] of Object.entries(files)) put(path, content)
  const floor: Floor = {
    base,
    vault,
    outside,
    evil,
    home,
    notebook: await open(),
    tools: undefined as unknown as Tools,
    put,
    bytes: (path) => readFileSync(join(vault, path)),
    async reopen() {
      await floor.notebook.close()
      floor.notebook = await open()
    },
  }
  floor.tools = toolsOf(() => floor.notebook)
  return floor
}

function toolsOf(notebook: () => FolderNotebook): Tools {
  const vault = () => notebook().vault
  const apply = (title: string, change: Change) => notebook().apply(changeSet(title, [change]))

  async function read(path: string): Promise<NoteFile> {
    const note = await vault().read(notePath(path))
    if (note === undefined) throw new Failure('not-found', `Note not found: ${path}`)
    return note
  }

  return {
    read_note: read,
    async write_note(path, content, { overwrite } = { overwrite: false }) {
      const after = encode(content)
      if (!overwrite) return apply('Write', { kind: 'create', path: newNotePath(path), after })
      const note = await read(path)
      return apply('Write', { kind: 'edit', path: note.path, before: note.hash, after })
    },
    append: (path, text) => apply('Append', { kind: 'append', path: notePath(path), added: encode(text) }),
    async update_frontmatter(path, updates) {
      const note = await read(path)
      const after = encode(editFrontmatter(note.text, { set: updates }))
      return apply('Update', { kind: 'edit', path: note.path, before: note.hash, after })
    },
    rename_note: async (from, to) => notebook().apply((await notebook().index.planMove(from, to)).changeSet),
    async delete_note(path) {
      const note = await read(path)
      return apply('Delete', { kind: 'trash', path: note.path, before: note.hash })
    },
    async get_note_metadata(path) {
      const note = await read(path)
      const { properties, frontmatter } = parseNote(note.path, note.text)
      return { properties, errors: frontmatter?.errors ?? [] }
    },
    list_backlinks: async (path) => (await notebook().index.linksTo(notePath(path))).map(({ source }) => source),
    search_notes: async (query) => (await notebook().index.search({ query })).hits.map((hit) => hit.path),
    search_by_tag: async (tag) =>
      (await notebook().index.search({ query: tag, tags: [tag] })).hits.map((hit) => hit.path),
  }
}

export function scratchFolder(inside = tmpdir()): string {
  return realpathSync(mkdtempSync(join(inside, 'notewright-security-')))
}

/** Memory-backed where there is one, for the many repetitions that would otherwise wait for the disk's syncs. */
export function fastScratchFolder(): string {
  return scratchFolder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
}

/** The failure that a call ended with; a call that succeeds, or breaks in another way, fails the check. */
export async function failureOf(call: () => unknown): Promise<Failure> {
  let answer: unknown
  try {
    answer = await call()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error(`Expected a failure, got ${JSON.stringify(answer)?.slice(0, 300)}`)
}

export async function expectFailure(code: FailureCode, call: () => unknown): Promise<Failure> {
  const failure = await failureOf(call)
  expect({ code: failure.code, message: failure.message }).toMatchObject({ code })
  return failure
}

/** Everything a failure would show to a user or a model. */
export function textOf({ message, details }: Failure): string {
  return `${message} ${JSON.stringify(details)}`
}

/** Path and hash of every regular file below a folder. */
export function treeOf(root: string): Map<string, string> {
  const tree = new Map<string, string>()
  for (const item of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(item.parentPath, item.name)
    if (item.isFile()) tree.set(path.slice(root.length + 1), sha256(readFileSync(path)))
  }
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function treeHash(root: string): string {
  return sha256(JSON.stringify([...treeOf(root)]))
}

/** Files below a folder that hold a text, in any case: an index folds what it keeps. */
export function filesWith(root: string, text: string): string[] {
  const wanted = text.toLowerCase()
  return [...treeOf(root).keys()].filter((path) => {
    return readFileSync(join(root, path), 'latin1').toLowerCase().includes(wanted)
  })
}

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A small generator of random numbers, the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

/** How much more processor time than its promise something may take: the machine may be slow. What hangs meets the limit of its test. */
export const patience = 10

/** The whole size of a case, where a smaller one stands in on every run. */
export const isFull = process.env.NOTEWRIGHT_FULL === '1'
