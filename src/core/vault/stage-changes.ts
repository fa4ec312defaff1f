import { Failure } from '../errors.js'
import { type AppliedChange, type Change, type ChangeSet, type ContentHash, isRestoring } from './change-set.js'
import type { JournalStep } from './journal.js'
import { folderOf, foldPath, isNote, type NotePath, newNotePath, notePath, pathFailure } from './note-path.js'
import { decodeNote } from './note-text.js'
import { mustBeUtf8, notWritable } from './vault-failures.js'

/** A path as the host finds it while a set is staged. `path` is spelled as it is, or would be, on the disk. */
export interface FoundFile {
  path: NotePath
  /** `hidden`: a private note, `excluded`: a place the rules cover. Both answer like a note that is not there. */
  state: 'present' | 'absent' | 'hidden' | 'excluded'
  /** Throws `too-large` above the read limit, unless any size will do. */
  load(anySize?: boolean): Promise<{ bytes: Uint8Array; hash: ContentHash }>
}

/** The net effect of a set on one file. Steps of one set never depend on each other, so they can run in any order. */
export type StagedStep =
  | {
      kind: 'write'
      path: NotePath
      before: { bytes: Uint8Array; hash: ContentHash } | null
      after: Uint8Array
      hash: ContentHash
      /** The file whose bytes these were, so that a host can keep its permissions. */
      origin?: NotePath | undefined
      /** Position of appended bytes, so that undo can remove exactly those. */
      appended?: { offset: number; length: number } | undefined
    }
  | { kind: 'remove'; path: NotePath; before: { bytes: Uint8Array; hash: ContentHash } }
  | { kind: 'rename'; path: NotePath; to: NotePath; before?: { bytes: Uint8Array; hash: ContentHash } | undefined }
  /** A rename into the host's trash. */
  | { kind: 'trash'; path: NotePath; before: { bytes: Uint8Array; hash: ContentHash } }

interface StagedChanges {
  steps: StagedStep[]
  applied: AppliedChange[]
}

export interface Staging {
  find: (path: NotePath) => Promise<FoundFile>
  hasFolder: (path: string) => Promise<boolean>
  hash: (bytes: Uint8Array) => ContentHash
}

/**
 * Applies a change set to the current files in memory, checks every base, and returns the resulting steps. Nothing is
 * written; any mismatch is a `conflict` with the current hash.
 */
export async function stageChanges(set: ChangeSet, staging: Staging): Promise<StagedChanges> {
  const stage = new Stage(isRestoring(set), staging)
  const applied: AppliedChange[] = []
  for (const change of set.changes) applied.push(await stage.play(change))
  return { steps: stage.netSteps(), applied }
}

/** The step for a vault that keeps no trash: the file goes, and only the journal has its bytes. */
export function removal(step: StagedStep): StagedStep {
  return step.kind === 'trash' ? { ...step, kind: 'remove' } : step
}

/** A file as it is at some moment of the play. */
interface Standing {
  path: NotePath
  /** The place on the disk that these bytes are, or came from. */
  origin?: Place | undefined
  file?: { bytes: Uint8Array; hash: ContentHash }
  fresh: boolean
  appended?: { offset: number; length: number } | undefined
}

interface Place {
  found: FoundFile
  /** As on disk, and as the changes so far leave it. */
  first?: Standing
  now?: Standing | undefined
}

class Stage {
  /** By the spelling on the disk; names that are free, by their folded form, so that two spellings meet. */
  readonly #places = new Map<string, Place>()
  readonly #trashed: Standing[] = []

  constructor(
    /** An undo restores earlier content: any bytes, any old name, also in the trash. */
    private readonly isUndo: boolean,
    private readonly staging: Staging,
  ) {}

  async play(change: Change): Promise<AppliedChange> {
    if (!this.isUndo) await this.#checkNames(change)
    const place = await this.#place(change.path)
    switch (change.kind) {
      case 'create':
        this.#mustBeFree(place, change.path)
        return this.#put(change.kind, place, change.after)
      case 'append': {
        if (place.now === undefined) {
          // An append that makes its note makes a name.
          if (!this.isUndo) await this.#checkNewName(change.path)
          this.#mustBeFree(place, change.path)
        }
        const before = place.now === undefined ? undefined : await this.#load(place.now)
        // `!`: `before` was loaded from it.
        if (before !== undefined && !this.isUndo) mustBeText(place.now!.path, before.bytes)
        const start = before?.bytes ?? new Uint8Array()
        return this.#put(change.kind, place, joined(start, change.added), {
          offset: start.length,
          length: change.added.length,
        })
      }
      case 'edit': {
        if (change.hiddenBefore !== undefined) this.#letTouch(place)
        const before = await this.#expect(place, change.path, change.before)
        // `!`: #expect throws if there is no file.
        if (!this.isUndo) mustBeText(place.now!.path, before.bytes)
        return this.#put(change.kind, place, change.after)
      }
      case 'trash': {
        if (change.before !== undefined) await this.#expect(place, change.path, change.before)
        else if (place.now === undefined) throw missing(change.path)
        // The trash may be emptied; the journal keeps what undo needs.
        else await this.#load(place.now, true)
        const { path } = place.now!
        if (change.journalOnly !== true) this.#trashed.push(place.now!)
        place.now = undefined
        return { kind: 'trash', path }
      }
      case 'move': {
        if (change.before !== undefined) await this.#expect(place, change.path, change.before)
        else if (place.now === undefined) throw missing(change.path)
        return this.#move(place, change.path, change.to)
      }
    }
  }

  async #checkNames(change: Change): Promise<void> {
    // The type guarantees it, but a plan may have come through JSON.
    notePath(change.path)
    if (change.kind === 'move') {
      await this.#checkNewName(change.to, change.path)
      if (isNote(change.path) !== isNote(change.to)) throw pathFailure(change.to, 'File must be .md')
      return
    }
    const isDrawn = change.kind !== 'append' && isCanvas(change.path)
    if (!isNote(change.path) && !isDrawn) throw pathFailure(change.path, 'File must be .md or .canvas')
    if (change.kind === 'create') await this.#checkNewName(change.path)
  }

  /** Folders that are there, and names that a moved file keeps, need not suit every system: only a new name must. */
  async #checkNewName(path: NotePath, from = ''): Promise<void> {
    const there = new Set<string>()
    if (!isPortable(path)) {
      for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
        if (await this.staging.hasFolder(folder)) there.add(folder)
      }
    }
    const kept = new Set(from.split('/'))
    newNotePath(path, (part) => there.has(part) || kept.has(part.slice(part.lastIndexOf('/') + 1)))
  }

  /** A hidden note answers like one that is not there, unless the user has let this very set touch it. */
  #letTouch(place: Place): void {
    if (place.first !== undefined || (place.found.state !== 'hidden' && place.found.state !== 'excluded')) return
    place.first = { path: place.found.path, origin: place, fresh: false }
    place.now = place.first
  }

  netSteps(): StagedStep[] {
    const steps: StagedStep[] = []
    const places = [...this.#places.values()]
    const renamedAway = new Set<Place>()
    for (const place of places) {
      const { first, now } = place
      if (now === undefined) continue
      const { origin, file } = now
      if (!now.fresh && origin === place && now.path === first?.path) continue
      // A rename is safe alone only where nothing else lands on either of its ends.
      if (!now.fresh && origin !== undefined && (origin === place || (first === undefined && !origin.now))) {
        steps.push({ kind: 'rename', path: origin.first!.path, to: now.path, before: file })
        renamedAway.add(origin)
        continue
      }
      if (file === undefined) throw tangled(now.path)
      const before = first?.file ?? null
      if (first !== undefined && before === null) throw tangled(now.path)
      if (before?.hash === file.hash && first?.path === now.path) continue
      if (first !== undefined && first.path !== now.path) {
        // Respelled and rewritten: the new name is written, the old one goes.
        steps.push({ kind: 'remove', path: first.path, before: before! })
      }
      steps.push({
        kind: 'write',
        path: now.path,
        before: first?.path === now.path ? before : null,
        after: file.bytes,
        hash: file.hash,
        origin: origin?.first?.path,
        appended: origin?.first === first ? now.appended : undefined,
      })
    }
    for (const { origin, fresh, file } of this.#trashed) {
      // A note that this set made, or that it replaces, has no file of its own to put into the trash.
      if (origin === undefined || fresh || origin.now !== undefined) continue
      steps.push({ kind: 'trash', path: origin.first!.path, before: file! })
      renamedAway.add(origin)
    }
    for (const place of places) {
      if (place.first === undefined || place.now !== undefined || renamedAway.has(place)) continue
      if (place.first.file === undefined) throw tangled(place.first.path)
      steps.push({ kind: 'remove', path: place.first.path, before: place.first.file })
    }
    return steps
  }

  async #place(path: NotePath): Promise<Place> {
    const found = await this.staging.find(path)
    const key = found.state === 'absent' ? `free:${foldPath(path)}` : found.path
    const known = this.#places.get(key)
    if (known !== undefined) return known
    const place: Place = { found }
    if (found.state === 'present') {
      place.first = { path: found.path, origin: place, fresh: false }
      place.now = place.first
    }
    this.#places.set(key, place)
    return place
  }

  async #load(standing: Standing, anySize = false): Promise<{ bytes: Uint8Array; hash: ContentHash }> {
    // `!`: a file without bytes in this plan has an origin.
    standing.file ??= await standing.origin!.found.load(anySize)
    return standing.file
  }

  async #expect(place: Place, asked: NotePath, before: ContentHash) {
    if (place.now === undefined) throw missing(asked)
    const file = await this.#load(place.now)
    if (file.hash !== before) throw changed(place.now.path, file.hash)
    return file
  }

  #mustBeFree(place: Place, asked: NotePath): void {
    if (place.now !== undefined) throw taken(asked, place.now.path)
    if (['hidden', 'excluded'].includes(place.found.state)) throw notWritable(asked)
  }

  #put(kind: 'create' | 'edit' | 'append', place: Place, bytes: Uint8Array, appended?: Standing['appended']) {
    const hash = this.staging.hash(bytes)
    const earlier = place.now
    const path = earlier?.path ?? place.found.path
    const onlyAppends = appended !== undefined && (earlier === undefined || !earlier.fresh || earlier.appended)
    place.now = {
      path,
      origin: earlier?.origin,
      file: { bytes, hash },
      fresh: true,
      appended: onlyAppends ? joinedRange(earlier?.appended, appended) : undefined,
    }
    return { kind, path, hash }
  }

  async #move(place: Place, asked: NotePath, to: NotePath): Promise<AppliedChange> {
    // `!`: the caller has checked that there is a file.
    const standing = place.now!
    const target = await this.#place(to)
    if (target === place) {
      // Only the spelling changes: `plan.md` to `Plan.md`.
      const respelled = respell(place.now!.path, asked, to)
      if (respelled === standing.path) throw new Failure('invalid-input', `${asked} already exists.`)
      place.now = { ...standing, path: respelled }
      return { kind: 'move', path: standing.path, to: respelled, hash: standing.file?.hash }
    }
    this.#mustBeFree(target, to)
    place.now = undefined
    const path = target.found.path
    target.now = { ...standing, path }
    return { kind: 'move', path: standing.path, to: path, hash: standing.file?.hash }
  }
}

/** Canvases are written as a whole and updated after moves; appending to them is refused. */
const isCanvas = (path: string): boolean => /\.canvas$/i.test(path)

function isPortable(path: NotePath): boolean {
  try {
    newNotePath(path)
    return true
  } catch {
    return false
  }
}

function mustBeText(path: NotePath, bytes: Uint8Array): void {
  mustBeUtf8({ path, encoding: decodeNote(bytes).encoding })
}

function missing(path: NotePath): Failure {
  return new Failure('not-found', `Note not found: ${path}`, {
    hint: 'It may have been moved or deleted in the meantime.',
  })
}

function changed(path: NotePath, current: ContentHash): Failure {
  return new Failure('conflict', `${path} has changed since it was read. Nothing was written.`, {
    hint: 'Read the note again and plan the change from its new text.',
    data: { path, currentHash: current },
  })
}

function tangled(path: NotePath): Failure {
  return new Failure('invalid-input', `${path} cannot be moved and replaced in one change without its hash.`)
}

function taken(asked: NotePath, path: NotePath): Failure {
  return new Failure('conflict', `A file already exists at ${asked}. Nothing was written.`, {
    hint: 'Choose another name, or edit the existing note.',
    data: { path },
  })
}

// A folder keeps its spelling on the disk, unless the move is about just that; the file takes the new one.
function respell(current: NotePath, asked: NotePath, wanted: NotePath): NotePath {
  if (folderOf(asked) !== folderOf(wanted) && foldPath(current) === foldPath(wanted)) return wanted
  const name = wanted.slice(wanted.lastIndexOf('/') + 1)
  return (current.slice(0, current.lastIndexOf('/') + 1) + name) as NotePath
}

function joined(start: Uint8Array, end: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(start.length + end.length)
  bytes.set(start)
  bytes.set(end, start.length)
  return bytes
}

function joinedRange(earlier: Standing['appended'], later: { offset: number; length: number }) {
  return earlier === undefined ? later : { offset: earlier.offset, length: earlier.length + later.length }
}

/** Staged steps as the journal keeps them: hashes instead of bytes, and the path of a note in the trash. */
export function journalSteps(
  steps: StagedStep[],
  trashPath: (step: StagedStep, index: number) => NotePath,
  hash: (bytes: Uint8Array) => ContentHash,
): JournalStep[] {
  return steps.map((step, index) => journalStep(step, hash, () => trashPath(step, index)))
}

function journalStep(
  step: StagedStep,
  hash: (bytes: Uint8Array) => ContentHash,
  trashPath: () => NotePath,
): JournalStep {
  switch (step.kind) {
    case 'write': {
      const { path, appended, after } = step
      const kept = appended && {
        ...appended,
        hash: hash(after.subarray(appended.offset, appended.offset + appended.length)),
      }
      const origin = step.origin === path ? undefined : step.origin
      return { kind: 'write', path, before: step.before?.hash ?? null, after: step.hash, origin, appended: kept }
    }
    case 'remove':
      return { kind: 'remove', path: step.path, before: step.before.hash }
    case 'rename':
      return { kind: 'rename', path: step.path, to: step.to, hash: step.before?.hash ?? null }
    case 'trash':
      return { kind: 'rename', path: step.path, to: trashPath(), hash: step.before.hash, trash: true }
  }
}

/** The bytes of all notes before and after: enough to finish a step and to roll it back. A note that only moves keeps its bytes. */
export function imagesOf(steps: readonly StagedStep[]): Map<ContentHash, Uint8Array> {
  const images = new Map<ContentHash, Uint8Array>()
  for (const step of steps) {
    if (step.kind !== 'rename' && step.before !== null) images.set(step.before.hash, step.before.bytes)
    if (step.kind === 'write') images.set(step.hash, step.after)
  }
  return images
}
