import { Failure } from '../../errors.js'
import type { Change, ContentHash } from '../change-set.js'
import { foldPath } from '../fold-path.js'
import type { NotePath } from '../note-path.js'
import { showDiff } from '../show-changes.js'
import { lost } from './undo-conflict.js'
import type { UndoSource } from './undo-source.js'

export interface Content {
  bytes: Uint8Array
  hash: ContentHash
}

/** The vault as it will be after the steps planned so far. */
export class PlannedFiles {
  /** By the spelling on the disk; names that are free there, by their folded form, so that two spellings meet. */
  readonly #places = new Map<string, { file: Content | undefined }>()
  readonly #known = new Map<NotePath, { file: Content | undefined }>()

  constructor(private readonly source: UndoSource) {}

  async at(path: NotePath): Promise<Content | undefined> {
    return (await this.#place(path)).file
  }

  async edit(path: NotePath, before: ContentHash, after: Uint8Array): Promise<Change> {
    await this.#set(path, { bytes: after, hash: this.source.hash(after) })
    return { kind: 'edit', path, before, after }
  }

  async create(path: NotePath, bytes: Uint8Array): Promise<Change> {
    await this.#set(path, { bytes, hash: this.source.hash(bytes) })
    return { kind: 'create', path, after: bytes }
  }

  /** What an undo takes away stays in the journal. */
  async remove(path: NotePath, before: ContentHash): Promise<Change> {
    await this.#set(path, undefined)
    return { kind: 'trash', path, before, journalOnly: true }
  }

  async move(path: NotePath, to: NotePath, file: Content): Promise<Change> {
    if (foldPath(path) !== foldPath(to)) await this.mustBeFree(to)
    await this.#set(path, undefined)
    await this.#set(to, file)
    return { kind: 'move', path, to, before: file.hash }
  }

  async mustBeFree(path: NotePath, wanted?: Uint8Array): Promise<void> {
    const there = await this.at(path)
    if (there === undefined) return
    throw lost(path, 'exists again', { diff: wanted && showDiff(path, there.bytes, wanted) })
  }

  /** A text of an entry that cannot be done without. */
  async image(sequence: number, hash: ContentHash, path: NotePath): Promise<Uint8Array> {
    const bytes = await this.source.image(sequence, hash)
    if (bytes !== undefined) return bytes
    throw new Failure('not-found', `The journal no longer has the earlier text of ${path}, or it is damaged there.`, {
      hint: 'Old entries are dropped to keep the journal within its size; what is damaged is never used.',
    })
  }

  async #set(path: NotePath, file: Content | undefined): Promise<void> {
    const place = await this.#place(path)
    place.file = file
  }

  async #place(path: NotePath): Promise<{ file: Content | undefined }> {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const found = await this.source.current(path)
    const key = found === undefined ? `free:${foldPath(path)}` : found.path
    const place = this.#places.get(key) ?? { file: found }
    this.#places.set(key, place)
    this.#known.set(path, place)
    return place
  }
}
