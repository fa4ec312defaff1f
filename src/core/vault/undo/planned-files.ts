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

/** A name, and the file that stands under it, spelled as it is there. */
interface Place {
  path: NotePath
  file: Content | undefined
}

/** The vault as it will be after the steps planned so far. */
export class PlannedFiles {
  /** By the spelling on the disk; names that are free there, by their folded form, so that two spellings meet. */
  readonly #places = new Map<string, Place>()
  readonly #known = new Map<NotePath, Place>()

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
    const there = await this.#place(path)
    if (there.file === undefined) return
    if (there.path !== path) throw twoSpellings(path, there.path, (await this.source.current(path)) !== undefined)
    throw lost(path, 'exists again', { diff: wanted && showDiff(path, there.file.bytes, wanted) })
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
    if (place.file === undefined) place.path = path
    place.file = file
  }

  async #place(path: NotePath): Promise<Place> {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const found = await this.source.current(path)
    const key = found === undefined ? `free:${foldPath(path)}` : found.path
    const place = this.#places.get(key) ?? { path: found?.path ?? path, file: found }
    this.#places.set(key, place)
    this.#known.set(path, place)
    return place
  }
}

/** Not every disk can hold both, so the second is refused on all. */
function twoSpellings(path: NotePath, other: NotePath, isThere: boolean): Failure {
  const what = isThere ? `cannot come back while there is ${other}` : `and ${other} would both come back`
  return new Failure('conflict', `${path} ${what}: that is one name in two spellings. Nothing was changed.`, {
    hint: isThere
      ? `Rename ${other} first, then undo again.`
      : `Undo the last change of ${other} alone and rename it, then undo the rest.`,
    data: { path, other },
  })
}
