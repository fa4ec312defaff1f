import type { Claims } from './claims.js'
import { numberOf } from './link-marks.js'
import {
  type Aside,
  asSpelledThen,
  type Event,
  type Held,
  hasEnded,
  isEitherOf,
  isNamed,
  isSpelling,
  moveOf,
  type PersonEvent,
  type PlannedSet,
  type Texts,
} from './planned-set.js'

/**
 * Predicts the states the disk may be in. It knows the last state without faults, what each change set since was meant
 * to do, and the edits of users. It compares the disk with what Notewright reports about its change sets.
 */
export class Model {
  readonly sets: PlannedSet[] = []
  #base: Texts
  #events: Event[] = []
  readonly #ever = new Map<string, Set<string>>()
  readonly #seen = new Map<string, Set<string>>()
  readonly #looseTargets = new Set<string | undefined>()
  readonly #looseSources = new Set<string | undefined>()
  readonly #twins = new Set<string>()
  /** Texts written by sets with unknown outcome: a power cut may lose them. */
  readonly #unsure = new Map<string, Set<Held>>()
  damagedRows = 0

  constructor(start: Texts) {
    this.#base = start
    for (const [path, text] of start) this.#remember(path, text)
  }

  plan(set: PlannedSet): void {
    this.sets.push(set)
    this.#events.push({ set })
    for (const [path, held] of set.touched) this.#remember(path, held.new)
    for (const [from, to] of set.moves) if (this.#twins.has(from)) this.#twins.add(to)
  }

  person(path: string, saw: Held, wrote: Held, isDeleted = false): void {
    const during = this.sets.filter(({ verified, outcome }) => verified === undefined && !hasEnded(outcome))
    this.#events.push({ person: { path, saw, wrote, isDeleted, during } })
    for (const { savedMeanwhile } of during) savedMeanwhile.add(path)
    this.#remember(path, wrote)
  }

  /** `named`: the set whose undecided notes were named by that row and by nothing else. */
  damageRow(named?: string): void {
    this.damagedRows++
    for (const set of this.sets) {
      if (set.id === named) set.hasLostNames = true
      if (set.outcome === 'applied') set.verified ??= 'applied'
      else if (set.outcome === 'unchanged') set.verified ??= 'not applied'
      else if (set.verified === undefined) {
        set.isLost = true
        // After an interrupted move a note has two names, and it is unknown which one was to be removed.
        for (const end of [...set.moves].flat()) this.#twins.add(end)
      }
    }
  }

  /** Data of sets without a reported outcome may have been visible and still not be on the disk. */
  losePower(): void {
    // One that was cut off and of which nothing was done may never have begun, and then nothing of it has made the one
    // before last.
    const last = [...this.sets].reverse().find(({ outcome, verified }) => hasEnded(outcome) || verified === 'applied')
    if (last === undefined || hasEnded(last.outcome)) return
    last.verified = undefined
    last.wasSeenApplied = true
    last.named = new Set()
    this.#unsureOf(last)
  }

  damageImage(): void {
    for (const set of this.sets) set.hasDamagedImages = true
  }

  /** A user has taken a note elsewhere, past all links to it. */
  losesLinksTo(text: string): void {
    this.#looseTargets.add(numberOf(text))
  }

  /** An old version of a note came back, with the links it had then. */
  losesLinksIn(text: string): void {
    this.#looseSources.add(numberOf(text))
  }

  isLooseTarget(number: string): boolean {
    return this.#looseTargets.has(number)
  }

  /** Links of a note that was in the trash in the meantime were not rewritten. */
  isLooseSource(number: string | undefined): boolean {
    const wasInTrash = this.sets.some(({ trashed }) => [...trashed.values()].some((text) => numberOf(text) === number))
    return wasInTrash || this.#looseSources.has(number)
  }

  /** A note that was being moved, or put into the trash, had two names; renamed under one of them, it is one file under two. */
  renamedWhileMoving(path: string, to: string): void {
    const ends = this.sets.flatMap((set) => {
      if (set.verified !== undefined) return []
      return set.trashed.has(path) ? [path] : (moveOf(set, path) ?? [])
    })
    const isOneOfTwo = ends.length > 0 || this.#twins.has(path)
    for (const twin of isOneOfTwo ? [...ends, to] : []) this.#twins.add(twin)
  }

  isTwin(path: string): boolean {
    return this.#twins.has(path)
  }

  /** Remembers what lay on the disk, for a program that syncs to put back. */
  see(disk: Texts): void {
    for (const [path, text] of disk) this.#seen.set(path, new Set([...(this.#seen.get(path) ?? []), text]))
  }

  /** Every text that was seen at a path: what was only planned has never left the machine. */
  seenAt(path: string): ReadonlySet<string> {
    return this.#seen.get(path) ?? new Set()
  }

  /** Every text that anybody ever meant to have at a path. */
  everAt(path: string): ReadonlySet<string> {
    return this.#ever.get(path) ?? new Set()
  }

  state(set: PlannedSet, claims: Claims): 'applied' | 'not applied' | 'unfinished' | 'lost' {
    const claim = claims.sets.get(set.id)
    if (claim !== undefined) return claim.state
    if (set.verified !== undefined) return set.verified
    return set.isLost ? 'lost' : 'not applied'
  }

  /** If the row with the outcome of a set is damaged, the claim may be a guess, but an observed outcome is not. */
  #trueState(set: PlannedSet, claims: Claims): ReturnType<Model['state']> {
    return (this.damagedRows > 0 ? set.verified : undefined) ?? this.state(set, claims)
  }

  /** Whether a user has to decide about a note of a set, as far as anybody has ever said. */
  isUndecided(set: PlannedSet, claims: Claims): boolean {
    if (this.state(set, claims) === 'lost' || (claims.sets.get(set.id)?.named.size ?? 0) > 0) return true
    // The row that named it may be the one that cannot be read.
    return this.damagedRows > 0 && set.named.size > 0
  }

  /** How a note of a set is spelled by now, if later sets have changed that. */
  spelledSince(set: PlannedSet, note: string, claims: Claims): string {
    let name = note
    for (const later of this.sets.slice(this.sets.indexOf(set) + 1)) {
      if (this.state(later, claims) !== 'applied' || later.touched.get(name)?.new !== null) continue
      for (const [path, held] of later.touched) if (held.new !== null && isSpelling(path, name)) name = path
    }
    return name
  }

  /** Returns the problems of a disk, given Notewright's claims; empty if there are none. */
  problems(disk: Texts, aside: Aside, claims: Claims): string[] {
    const differences = this.#readings(claims).map((reading) => this.#differences(disk, aside, reading, claims))
    const [closest] = differences.sort((a, b) => a.length - b.length)
    return [
      ...this.#wrongClaims(claims),
      ...this.#lostFromTrash(aside, claims),
      ...this.#unnamedConflicts(disk, aside, claims),
      ...closest,
    ]
  }

  /** Everything is well: what is there now is what everything after it is measured by. */
  verify(disk: Texts, claims: Claims): void {
    this.#base = disk
    this.#events = []
    for (const set of this.sets) {
      const state = this.state(set, claims)
      if (set.isLost) this.#unsureOf(set)
      if (state === 'applied' || state === 'not applied') set.verified ??= state
      // A row that cannot be read any more does not unsay what it said.
      const saidBefore = this.damagedRows > 0 ? set.named : []
      set.named = new Set([...(claims.sets.get(set.id)?.named ?? []), ...saidBefore])
    }
  }

  #unsureOf(set: PlannedSet): void {
    for (const [path, held] of set.touched)
      this.#unsure.set(path, new Set([...(this.#unsure.get(path) ?? []), held.old, held.new]))
  }

  #remember(path: string, held: Held): void {
    if (held !== null) this.#ever.set(path, new Set([...(this.#ever.get(path) ?? []), held]))
  }

  #wrongClaims(claims: Claims): string[] {
    const wrong: string[] = []
    const missing = this.sets.filter(({ id, verified }) => verified === 'applied' && !claims.sets.has(id))
    if (missing.length > this.damagedRows) wrong.push(`the history has lost ${missing.map(({ id }) => id).join(', ')}`)
    if (this.damagedRows > 0 && claims.damage === 0) wrong.push('nobody says that the journal is damaged')
    for (const set of this.sets) {
      const state = this.state(set, claims)
      if (state === 'lost') continue
      const wanted = set.verified ?? (set.outcome === 'unchanged' ? 'not applied' : set.outcome)
      if (state === 'unfinished') wrong.push(`${set.id} is still unfinished`)
      // Without the row that said how it ended, the disk is all there is to tell from.
      else if ((wanted === 'applied' || wanted === 'not applied') && state !== wanted && this.damagedRows === 0)
        wrong.push(`${set.id} was ${wanted}, and is now ${state}`)
      const named = claims.sets.get(set.id)?.named
      // The row that named it may be the one that cannot be read.
      for (const note of named === undefined || this.damagedRows > 0 ? [] : set.named) {
        const isSettled = this.sets.some(({ settles }) => settles?.id === set.id && settles.note === note)
        if (!named!.has(note) && !isSettled) wrong.push(`${set.id} no longer names ${note}, and nobody has decided`)
      }
    }
    return wrong
  }

  #lostFromTrash({ trash }: Aside, claims: Claims): string[] {
    return this.sets.flatMap((set) => {
      const isUndone = this.sets.some(({ undoes, settles }) => undoes === set.id || settles?.id === set.id)
      if (set.keepsNoTrash || isUndone || this.#trueState(set, claims) !== 'applied') return []
      // The row that named it may be the one that cannot be read.
      const wasNamed = (path: string) => this.damagedRows > 0 && set.named.has(path)
      const lost = [...set.trashed].filter(
        ([path, text]) =>
          !trash.has(text) && !set.savedMeanwhile.has(path) && !isNamed(path, set, claims) && !wasNamed(path),
      )
      return lost.map(([path]) => `${set.id} put ${path} into the trash, and it is not there`)
    })
  }

  /** A user's version that has only one half of a change set in it must be named when the other half is elsewhere. */
  #unnamedConflicts(disk: Texts, { trash, kept }: Aside, claims: Claims): string[] {
    return this.#events.flatMap((event, at) => {
      if (!('person' in event)) return []
      const { path, saw, wrote, isDeleted, during } = event.person
      return during.flatMap((set) => {
        const touched = set.touched.get(path)
        const state = this.#trueState(set, claims)
        if (isDeleted || touched === undefined || touched.old === touched.new || state === 'lost') return []
        if (this.#isFollowed(set, at, claims) || this.#isTakenAway(path, wrote, at)) return []
        const versions = this.#wentOnFrom(path, wrote, at)
        // An undo takes a note back with what was saved into it meanwhile.
        if (this.sets.some(({ undoes }) => undoes === set.id) && disk.get(path) === versions.at(-1)) return []
        if (set.trashed.has(path)) {
          if (wrote === null || versions.some((text) => text !== null && trash.has(text))) return []
        } else {
          // A note that is as claimed gives no evidence.
          if ((disk.get(path) ?? null) === (state === 'applied' ? touched.new : touched.old)) return []
        }
        // A restored text cannot be distinguished from the old one; a text written over it is checked by itself.
        if (versions.some((text) => isEitherOf(touched, text))) return []
        if (wrote !== null && kept.has(wrote)) return []
        // Appended text follows the current text.
        const appended = set.appended.get(path)
        if (appended !== undefined && versions.some((text) => this.#wasThere(path, (text ?? '') + appended, at, disk)))
          return []
        if (this.#followed(event.person, set, state, at, disk)) return []
        const isHalf = (state === 'applied' && saw === touched.old) || (state === 'not applied' && saw === touched.new)
        if (!isHalf || isNamed(path, set, claims) || this.#isSettled(path, set)) return []
        // The damage is spoken of, and the note is the user's: that it waited for a decision stood in that row alone.
        if (set.hasLostNames) return []
        if (this.#isPutThere(path, saw, set, at)) return []
        return [`${path} was changed by a person while ${set.id} was under way, which is ${state} now; nobody says so`]
      })
    })
  }

  /** A user's text, and what people made of it by saving it again. */
  #wentOnFrom(path: string, wrote: Held, after: number): Held[] {
    const versions = [wrote]
    for (const later of this.#events.slice(after + 1)) {
      if ('person' in later && later.person.path === path && later.person.saw === versions.at(-1))
        versions.push(later.person.wrote)
    }
    return versions
  }

  /** Whether a user has renamed or deleted later what they had written: nothing is left there to be named. */
  #isTakenAway(path: string, wrote: Held, after: number): boolean {
    return this.#events.slice(after + 1).some((later) => {
      return (
        'person' in later && later.person.path === path && later.person.saw === wrote && later.person.wrote === null
      )
    })
  }

  /** Whether another set began after it: none begins before an interrupted one is finished or rolled back. */
  #isFollowed(set: PlannedSet, before: number, claims: Claims): boolean {
    const followers = this.sets.slice(this.sets.indexOf(set) + 1).filter(({ id }) => claims.sets.has(id))
    return this.#events.slice(0, before).some((event) => 'set' in event && followers.includes(event.set))
  }

  /** Whether a text is there, or whoever came after an event went on from it. */
  #wasThere(path: string, text: string, after: number, disk: Texts): boolean {
    if (disk.get(path) === text) return true
    return this.#events.slice(after + 1).some((later) => {
      if ('set' in later) return later.set.touched.get(path)?.old === text
      return later.person.path === path && later.person.saw === text
    })
  }

  /** Whether a user had put that text there, so that no change set is in it by halves. */
  #isPutThere(path: string, text: Held, set: PlannedSet, before: number): boolean {
    // It was there when all of the set was.
    if (set.wasSeenApplied && (this.#base.get(path) ?? null) === text) return true
    return this.#events
      .slice(0, before)
      .some((event) => 'person' in event && event.person.path === path && event.person.wrote === text)
  }

  /** Whether what a user wrote into a note that was being moved went with it, as far as can be told. */
  #followed({ path, wrote }: PersonEvent, set: PlannedSet, state: string, at: number, disk: Texts): boolean {
    const move = moveOf(set, path)
    if (move === undefined) return false
    const isOld = this.#events.slice(at + 1).some((later) => 'person' in later && move.includes(later.person.path))
    return isOld || wrote === null || disk.get(move[state === 'applied' ? 1 : 0]) === wrote
  }

  /** A set with unknown outcome may have been applied or not. */
  #readings(claims: Claims): Map<PlannedSet, boolean>[] {
    let readings: Map<PlannedSet, boolean>[] = [new Map()]
    for (const set of this.sets) {
      const state = this.#trueState(set, claims)
      const sides = state === 'lost' ? [true, false] : [state === 'applied']
      readings = readings.flatMap((reading) => sides.map((side) => new Map([...reading, [set, side]])))
    }
    return readings
  }

  #differences(disk: Texts, { trash, kept }: Aside, reading: Map<PlannedSet, boolean>, claims: Claims): string[] {
    const wrong: string[] = []
    const expected = new Map<string, Held>(this.#base)
    const alsoFine = new Map(this.#unsure)
    const fine = (path: string, ...held: Held[]) =>
      alsoFine.set(path, new Set([...(alsoFine.get(path) ?? []), ...held]))
    const moving = new Map<[string, string], { text: Held; places: string[] }>()
    for (const event of this.#events) {
      if ('person' in event) {
        const { path, wrote, during } = event.person
        const isKept = wrote !== null && kept.has(wrote)
        expected.set(path, wrote)
        for (const ends of moving.keys()) if (ends.includes(path)) moving.delete(ends)
        // A note that two sets were to move is where one of them took it: the later had found the earlier unfinished.
        const places = during.flatMap((set) => moveOf(set, path) ?? [])
        for (const set of during) {
          const own = set.touched.get(path)
          if (set.appended.has(path)) fine(path, (wrote ?? '') + set.appended.get(path))
          if (own !== undefined && isKept) fine(path, own.old, own.new)
          // A restored text cannot be distinguished from the old one.
          if (own !== undefined && isEitherOf(own, wrote)) fine(path, own.old, own.new)
          // A note that is saved while it goes to the trash is there as it was saved.
          if (set.trashed.has(path) && wrote !== null && trash.has(wrote)) fine(path, null)
          // One that is deleted then lies in the trash as Notewright puts it there, and is brought back as last saved.
          if (set.trashed.has(path) && wrote === null) fine(path, event.person.saw)
          const move = moveOf(set, path)
          if (move === undefined) continue
          for (const end of move) fine(end, null, wrote, ...(own === undefined ? [] : [own.old, own.new]))
          // A text of another set that a user restored is undone with that set.
          const isOfAnother = during.some((other) => other !== set && isEitherOf(other.touched.get(path), wrote))
          if (!isOfAnother) moving.set(move, { text: wrote, places })
        }
        continue
      }
      const { set } = event
      for (const [planned, touched] of set.touched) {
        const path = asSpelledThen(planned, touched.old, expected)
        const before = expected.get(path) ?? null
        if (set.isLost || isNamed(path, set, claims) || this.#isSettled(path, set))
          fine(path, before, touched.old, touched.new)
        if (!reading.get(set)) continue
        for (const ends of moving.keys()) if (ends.includes(path)) moving.delete(ends)
        // Appended text follows the text that remains after an earlier change was undone.
        const appended = set.appended.get(path)
        if (appended !== undefined && before !== touched.old) {
          expected.set(path, (before ?? '') + appended)
          fine(path, touched.new)
          continue
        }
        if (before !== touched.old && !alsoFine.get(path)?.has(touched.old))
          wrong.push(`${set.id} was applied to ${path}, which was not what it was planned from`)
        expected.set(path, touched.new)
      }
    }
    for (const path of new Set([...expected.keys(), ...disk.keys()])) {
      const [now, wanted] = [disk.get(path) ?? null, expected.get(path) ?? null]
      if (now === wanted || alsoFine.get(path)?.has(now)) continue
      wrong.push(`${path} holds ${this.#describe(path, now)} instead of ${this.#describe(path, wanted)}`)
    }
    for (const [ends, { text, places }] of moving) {
      const isLater = ends.some((path) => (expected.get(path) ?? null) !== null && expected.get(path) !== text)
      if (text === null || isLater || places.some((path) => disk.get(path) === text)) continue
      // A note that is saved while it comes out of the trash goes back as it was saved.
      if (ends[0].startsWith('.trash/') && trash.has(text)) continue
      wrong.push(`what a person wrote into ${ends[0]}, which was being moved to ${ends[1]}, is lost`)
    }
    return wrong
  }

  /** Somebody decided about a note, so it had been named. */
  #isSettled(path: string, set: PlannedSet): boolean {
    const ends = moveOf(set, path) ?? [path]
    return this.sets.some(({ settles }) => settles?.id === set.id && ends.includes(settles.note))
  }

  #describe(path: string, held: Held): string {
    if (held === null) return 'nothing'
    for (const event of [...this.#events].reverse()) {
      if ('person' in event) {
        if (event.person.path === path && event.person.wrote === held) return "a person's text"
      } else {
        const touched = event.set.touched.get(path)
        if (touched?.new === held) return `the new text of ${event.set.id}`
        if (touched?.old === held) return `the old text of ${event.set.id}`
      }
    }
    return this.everAt(path).has(held) ? 'an older text' : `a text nobody wrote there (${JSON.stringify(held)})`
  }
}
