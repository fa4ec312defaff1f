import type { NotePath } from '../../vault/index.js'
import {
  baseName,
  likeNote,
  type Mention,
  type NotePlace,
  notesMentionedIn,
  notesMentioning,
  placeOf,
  TopScores,
} from '../engine/index.js'
import { defaultRecipe } from '../engine/recipe.js'
import type { IndexStore, StoredNote } from '../index-store.js'
import type { IndexView } from '../index-view.js'
import { type LinkRelations, linkKinds, linkRelations } from './link-relations.js'
import { type Linked, linkedNotes } from './linked-notes.js'
import { reasonsFor } from './reasons.js'
import type { RelatedAnswer, RelatedNote, RelatedRequest } from './related-note.js'
import { relatedRecipe as recipe } from './related-recipe.js'

const usual = 10
const most = 100
/** The best by words, meaning and links, of which tags and folders are looked at. */
const looked = 40

/** The notes that have most to do with one, and why. What may not be seen has no part in it. */
export async function findRelated(
  { store, view }: { store: IndexStore; view: IndexView },
  note: StoredNote,
  request: RelatedRequest,
  isVisible?: (path: NotePath) => Promise<boolean>,
): Promise<RelatedAnswer> {
  const { path } = note
  const limit = Math.min(Math.max(1, request.limit ?? usual), most)
  view.links ??= linkedNotes(store)
  const seen = async <T extends Linked>(all: readonly T[]): Promise<readonly T[]> => {
    if (isVisible === undefined) return all
    const flags = await Promise.all(all.map((each) => isVisible(each.path)))
    return all.filter((_, at) => flags[at])
  }
  const relations = await linkRelations(path, view.links, seen)
  const linked = new Set([...(await view.links.from(path)), ...(await view.links.to(path))].map((each) => each.path))
  const judged = judge(view, note, relations)
  const isAnswer = async (other: NotePath) =>
    other !== path && (request.includeLinked === true || !linked.has(other)) && ((await isVisible?.(other)) ?? true)
  const candidates = await best(judged, Math.max(looked, limit * 2), isAnswer)
  const others = new Map((await store.notesAt(candidates.map((each) => each.path))).map((each) => [each.path, each]))
  const tagCounts = note.tags.length === 0 ? new Map<string, number>() : await countedTags(store, view)
  const weighed = candidates.flatMap((candidate) => {
    const other = others.get(candidate.path)
    if (other === undefined) return []
    const tags = sharedTags(note, other, tagCounts)
    const isNeighbour = folderOf(other.path) === folderOf(path)
    const total =
      candidate.total +
      recipe.tags *
        Math.min(
          3,
          tags.reduce((sum, { worth }) => sum + worth, 0),
        ) +
      (isNeighbour ? recipe.folder : 0)
    return [{ ...candidate, other, total, tags: tags.map(({ tag }) => tag), isNeighbour }]
  })
  weighed.sort((a, b) => b.total - a.total || a.other.id - b.other.id)
  const named = new Set<NotePath>()
  const notes = weighed.slice(0, limit).map((found): RelatedNote => {
    const { reasons, by } = reasonsFor(found, judged.stems, view)
    for (const each of by) named.add(each)
    return { path: found.path, title: found.other.title, reasons, ...(linked.has(found.path) && { isLinked: true }) }
  })
  return { path, notes, named: [...named] }
}

export interface Candidate extends NotePlace {
  path: NotePath
  total: number
  words: number
  meaning: number
  relations?: LinkRelations
  named?: Mention
  names?: Mention
}

interface Judged {
  totals: Float32Array[]
  stems: ReturnType<typeof likeNote>['stems']
  pathAt(place: NotePlace): NotePath
  candidateAt(place: NotePlace, path: NotePath): Candidate
}

/** All that can be told without asking the store for every note. */
function judge(view: IndexView, note: StoredNote, relations: ReadonlyMap<NotePath, LinkRelations>): Judged {
  const segments = view.segments.map(({ segment }) => segment)
  const place = placeOf(view.segments, note.id)
  const likeness = place && likeNote(view.segments, place, recipe.stems, defaultRecipe)
  const mentions = {
    named: place === undefined ? [] : notesMentionedIn(segments, place),
    names: notesMentioning(segments, [note.title, baseName(note.path), ...note.aliases]),
  }
  const key = ({ at, note: number }: NotePlace) => `${at} ${number}`
  const byPlace = {
    named: new Map(mentions.named.map((mention) => [key(mention), mention])),
    names: new Map(mentions.names.map((mention) => [key(mention), mention])),
  }
  const totals = segments.map(({ noteCount, dead }, at) => {
    const sums = new Float32Array(noteCount)
    const words = likeness?.words[at]
    const meaning = likeness?.meaning?.[at]
    if (words) for (let number = 0; number < noteCount; number++) sums[number] = recipe.words * words[number]
    if (meaning) for (let number = 0; number < noteCount; number++) sums[number] += recipe.meaning * meaning[number]
    for (let number = 0; number < noteCount; number++) if (dead[number] === 1) sums[number] = Number.NEGATIVE_INFINITY
    return sums
  })
  for (const kind of ['named', 'names'] as const)
    for (const { at, note: number, rarity } of mentions[kind]) totals[at][number] += recipe[kind] * rarity ** 2
  for (const [path, { worth }] of relations) {
    const at = segments.findIndex((segment) => segment.noteAt(path) >= 0)
    if (at < 0) continue
    for (const relation of linkKinds) totals[at][segments[at].noteAt(path)] += recipe[relation] * worth[relation]
  }
  return {
    totals,
    stems: likeness?.stems ?? [],
    pathAt: ({ at, note: number }) => segments[at].label(number).path as NotePath,
    candidateAt: (found, path) => ({
      ...found,
      path,
      total: totals[found.at][found.note],
      words: likeness?.words[found.at][found.note] ?? 0,
      meaning: likeness?.meaning[found.at]?.[found.note] ?? 0,
      relations: relations.get(path),
      named: byPlace.named.get(key(found)),
      names: byPlace.names.get(key(found)),
    }),
  }
}

/** The best of those that may be answers; where few may, more are looked at. */
async function best(
  judged: Judged,
  wanted: number,
  isAnswer: (path: NotePath) => Promise<boolean>,
): Promise<Candidate[]> {
  const all = judged.totals.reduce((sum, { length }) => sum + length, 0)
  for (let size = wanted * 2; ; size *= 4) {
    const top = topOf(judged.totals, Math.min(size, all))
    const found: Candidate[] = []
    for (const key of top.sorted()) {
      const place = { at: Math.floor(key / 2 ** 32), note: key % 2 ** 32 }
      const path = judged.pathAt(place)
      if (await isAnswer(path)) found.push(judged.candidateAt(place, path))
      if (found.length === wanted) return found
    }
    if (top.count < size) return found
  }
}

function topOf(all: readonly Float32Array[], size: number): TopScores {
  const top = new TopScores(size)
  for (const [at, totals] of all.entries()) {
    for (let note = 0; note < totals.length; note++) {
      if (totals[note] > 0 && totals[note] >= top.threshold) top.offer(totals[note], note, at * 2 ** 32 + note)
    }
  }
  return top
}

async function countedTags(store: IndexStore, view: IndexView): Promise<ReadonlyMap<string, number>> {
  view.tagCounts ??= new Map((await store.tags()).map(({ tag, notes }) => [foldTag(tag), notes]))
  return view.tagCounts
}

function sharedTags(one: StoredNote, other: StoredNote, counts: ReadonlyMap<string, number>) {
  const own = new Map(one.tags.map((tag) => [foldTag(tag), tag]))
  const shared = new Set(other.tags.map(foldTag).filter((tag) => own.has(tag)))
  return [...shared]
    .map((tag) => ({ tag: own.get(tag) as string, worth: 3 / Math.log2(2 + (counts.get(tag) ?? 1)) }))
    .sort((a, b) => b.worth - a.worth)
}

const foldTag = (tag: string): string => tag.normalize('NFC').toLowerCase()
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
