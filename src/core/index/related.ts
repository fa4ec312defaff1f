import type { NotePath } from '../vault/index.js'
import { type Mention, notesMentionedIn, notesMentioning } from './engine/note-names.js'
import { defaultWeights } from './engine/ranking-weights.js'
import { type DistinctiveStem, type NotePosition, positionOf, similarNotes } from './engine/similar-notes.js'
import { TopScores } from './engine/top-scores.js'
import { noteBaseName } from './engine/words.js'
import type { IndexStore, StoredNote } from './index-store.js'
import { type IndexView, type LinkedNote, type LinkedNotes, linkedNotes } from './index-view.js'

// `!` is used on arrays with one entry for each segment, and in those on one for each of its notes.

export interface RelatedRequest {
  path: NotePath
  /** Default 10. */
  limit?: number | undefined
  /** Include notes that it links to or that link to it. */
  includeLinked?: boolean | undefined
}

export interface RelatedNote {
  path: NotePath
  title: string
  /** Reasons, strongest first. */
  reasons: string[]
  /** The two notes are already linked. */
  isLinked?: true
}

export interface RelatedAnswer {
  path: NotePath
  notes: RelatedNote[]
  /** Other notes mentioned in reasons: their content was used, too. */
  named: NotePath[]
}

const defaultLimit = 10
const largestLimit = 100
/** The best candidates by words, vectors and links, which are rescored by tags and folders. */
const rescored = 40

/** Finds the notes most related to one, with reasons. Invisible notes are neither found nor used. */
export async function findRelated(
  { store, view }: { store: IndexStore; view: IndexView },
  note: StoredNote,
  request: RelatedRequest,
  isVisible?: (path: NotePath) => Promise<boolean>,
): Promise<RelatedAnswer> {
  const { path } = note
  const limit = Math.min(Math.max(1, request.limit ?? defaultLimit), largestLimit)
  view.links ??= linkedNotes(store)
  const seen = async <T extends LinkedNote>(all: readonly T[]): Promise<readonly T[]> => {
    if (isVisible === undefined) return all
    const flags = await Promise.all(all.map((each) => isVisible(each.path)))
    return all.filter((_, at) => flags[at])
  }
  const relations = await linkRelations(path, view.links, seen)
  const linked = new Set([...(await view.links.from(path)), ...(await view.links.to(path))].map((each) => each.path))
  const scored = scoreNotes(view, note, relations)
  const isAnswer = async (other: NotePath) =>
    other !== path && (request.includeLinked === true || !linked.has(other)) && ((await isVisible?.(other)) ?? true)
  const candidates = await bestCandidates(scored, Math.max(rescored, limit * 2), isAnswer)
  const others = new Map((await store.notesAt(candidates.map((each) => each.path))).map((each) => [each.path, each]))
  const tagCounts = note.tags.length === 0 ? new Map<string, number>() : await countedTags(store, view)
  const weighed = candidates.flatMap((candidate) => {
    const other = others.get(candidate.path)
    if (other === undefined) return []
    const tags = sharedTags(note, other, tagCounts)
    const isNeighbour = folderOf(other.path) === folderOf(path)
    const total =
      candidate.total +
      relatedWeights.tags *
        Math.min(
          3,
          tags.reduce((sum, { worth }) => sum + worth, 0),
        ) +
      (isNeighbour ? relatedWeights.folder : 0)
    return [{ ...candidate, other, total, tags: tags.map(({ tag }) => tag), isNeighbour }]
  })
  weighed.sort((a, b) => b.total - a.total || a.other.id - b.other.id)
  const named = new Set<NotePath>()
  const notes = weighed.slice(0, limit).map((found): RelatedNote => {
    const { reasons, by } = reasonsFor(found, scored.stems, view)
    for (const each of by) named.add(each)
    return { path: found.path, title: found.other.title, reasons, ...(linked.has(found.path) && { isLinked: true }) }
  })
  return { path, notes, named: [...named] }
}

interface Candidate extends NotePosition {
  path: NotePath
  total: number
  words: number
  meaning: number
  relations?: LinkRelations | undefined
  named?: Mention | undefined
  names?: Mention | undefined
}

interface ScoredNotes {
  totals: Float32Array[]
  stems: ReturnType<typeof similarNotes>['stems']
  pathAt(place: NotePosition): NotePath
  candidateAt(place: NotePosition, path: NotePath): Candidate
}

/** Scores all notes by the signals that need no store access per note. */
function scoreNotes(view: IndexView, note: StoredNote, relations: ReadonlyMap<NotePath, LinkRelations>): ScoredNotes {
  const segments = view.segments.map(({ segment }) => segment)
  const place = positionOf(view.segments, note.id)
  const likeness = place && similarNotes(view.segments, place, relatedWeights.stems, defaultWeights)
  const mentions = {
    named: place === undefined ? [] : notesMentionedIn(segments, place),
    names: notesMentioning(segments, [note.title, noteBaseName(note.path), ...note.aliases]),
  }
  const key = ({ at, note: number }: NotePosition) => `${at} ${number}`
  const byPlace = {
    named: new Map(mentions.named.map((mention) => [key(mention), mention])),
    names: new Map(mentions.names.map((mention) => [key(mention), mention])),
  }
  const totals = segments.map(({ noteCount, dead }, at) => {
    const sums = new Float32Array(noteCount)
    const words = likeness?.words[at]
    const meaning = likeness?.meaning?.[at]
    if (words) for (let number = 0; number < noteCount; number++) sums[number] = relatedWeights.words * words[number]!
    if (meaning)
      for (let number = 0; number < noteCount; number++) sums[number]! += relatedWeights.meaning * meaning[number]!
    for (let number = 0; number < noteCount; number++) if (dead[number] === 1) sums[number] = Number.NEGATIVE_INFINITY
    return sums
  })
  for (const kind of ['named', 'names'] as const)
    for (const { at, note: number, rarity } of mentions[kind])
      totals[at]![number]! += relatedWeights[kind] * rarity ** 2
  for (const [path, { worth }] of relations) {
    const at = segments.findIndex((segment) => segment.noteAt(path) >= 0)
    if (at < 0) continue
    for (const relation of linkKinds)
      totals[at]![segments[at]!.noteAt(path)]! += relatedWeights[relation] * worth[relation]
  }
  return {
    totals,
    stems: likeness?.stems ?? [],
    pathAt: ({ at, note: number }) => segments[at]!.label(number).path as NotePath,
    candidateAt: (found, path) => ({
      ...found,
      path,
      total: totals[found.at]![found.note]!,
      words: likeness?.words[found.at]?.[found.note] ?? 0,
      meaning: likeness?.meaning[found.at]?.[found.note] ?? 0,
      relations: relations.get(path),
      named: byPlace.named.get(key(found)),
      names: byPlace.names.get(key(found)),
    }),
  }
}

/** The best candidates that may be shown; searches deeper if many may not. */
async function bestCandidates(
  scored: ScoredNotes,
  wanted: number,
  isAnswer: (path: NotePath) => Promise<boolean>,
): Promise<Candidate[]> {
  const all = scored.totals.reduce((sum, { length }) => sum + length, 0)
  for (let size = wanted * 2; ; size *= 4) {
    const top = topOf(scored.totals, Math.min(size, all))
    const found: Candidate[] = []
    for (const key of top.sorted()) {
      const place = { at: Math.floor(key / 2 ** 32), note: key % 2 ** 32 }
      const path = scored.pathAt(place)
      if (await isAnswer(path)) found.push(scored.candidateAt(place, path))
      if (found.length === wanted) return found
    }
    if (top.count < size) return found
  }
}

function topOf(all: readonly Float32Array[], size: number): TopScores {
  const top = new TopScores(size)
  for (const [at, totals] of all.entries()) {
    for (let note = 0; note < totals.length; note++) {
      if (totals[note]! > 0 && totals[note]! >= top.threshold) top.offer(totals[note]!, note, at * 2 ** 32 + note)
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

/** Relations by links between two notes that are not linked themselves. */
const linkKinds = ['citedTogether', 'linkAlike', 'between'] as const
type LinkRelation = (typeof linkKinds)[number]

interface LinkRelations {
  /** Strength of each relation: a common neighbour with few links counts more. */
  worth: Record<LinkRelation, number>
  /** The common neighbours, strongest first. */
  by: Record<LinkRelation, { path: NotePath; worth: number }[]>
}

/** Limits: links followed per note, and links of a common neighbour that still counts. */
const mostFollowed = 100
const mostInCommon = 1000

async function linkRelations(
  path: NotePath,
  { from, to }: LinkedNotes,
  isSeen: (paths: readonly LinkedNote[]) => Promise<readonly LinkedNote[]>,
): Promise<Map<NotePath, LinkRelations>> {
  const found = new Map<NotePath, LinkRelations>()
  function add(other: NotePath, relation: LinkRelation, by: NotePath, worth: number): void {
    if (other === path) return
    let relations = found.get(other)
    if (relations === undefined) {
      relations = {
        worth: { citedTogether: 0, linkAlike: 0, between: 0 },
        by: { citedTogether: [], linkAlike: [], between: [] },
      }
      found.set(other, relations)
    }
    relations.worth[relation] += worth
    relations.by[relation].push({ path: by, worth })
  }
  for (const { path: target } of (await isSeen(await from(path))).slice(0, mostFollowed)) {
    const [alike, beyond] = [await to(target), await from(target)]
    if (alike.length > mostInCommon) continue
    for (const { path: other } of alike) add(other, 'linkAlike', target, rareness(alike.length))
    for (const { path: other } of beyond) add(other, 'between', target, rareness(alike.length + beyond.length))
  }
  for (const { path: source, line } of (await isSeen(await to(path))).slice(0, mostFollowed)) {
    const [cited, beyond] = [await from(source), await to(source)]
    if (cited.length > mostInCommon) continue
    const own = cited.find((each) => each.path === path)?.line ?? line
    for (const other of cited) {
      const isNear = Math.abs(other.line - own) <= nearLines
      add(other.path, 'citedTogether', source, rareness(cited.length) * (isNear ? 1 : farShare))
    }
    for (const { path: other } of beyond) add(other, 'between', source, rareness(cited.length + beyond.length))
  }
  for (const { by } of found.values()) for (const each of Object.values(by)) each.sort((a, b) => b.worth - a.worth)
  return found
}

/** Links within this many lines count fully, others by `farShare`. */
const nearLines = 3
const farShare = 0.5

/** Adamic–Adar weight: neighbours with few links count more. */
const rareness = (links: number): number => 1 / Math.log(1 + Math.max(2, links))

/** Reasons for a related note as text, strongest first, and the notes they mention. */
function reasonsFor(
  found: Candidate & { tags: readonly string[]; isNeighbour: boolean },
  stems: readonly DistinctiveStem[],
  view: IndexView,
): { reasons: string[]; by: NotePath[] } {
  const { relations, named, names, tags, isNeighbour } = found
  const reasons: { worth: number; text: string; by?: NotePath }[] = []
  if (named) reasons.push({ worth: mentionWorth + 1, text: `Mentions “${named.name}” without a link` })
  if (names) reasons.push({ worth: mentionWorth, text: `Mentions this note, “${names.name}”, without a link` })
  for (const [relation, words] of Object.entries(relationWords) as [LinkRelation, string][]) {
    const [first, ...others] = relations?.by[relation] ?? []
    if (first === undefined) continue
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    const worth = relatedWeights[relation] * (relations?.worth[relation] ?? 0)
    reasons.push({ worth, text: `${words} ${noteBaseName(first.path)}${more}`, by: first.path })
  }
  const alike = relatedWeights.words * found.words + relatedWeights.meaning * found.meaning
  const shared = sharedWords(found, stems, view)
  if (shared.length > 0 && found.words > 1) reasons.push({ worth: alike, text: `Shared terms: ${shared.join(', ')}` })
  else if (found.meaning > 1) reasons.push({ worth: alike, text: 'Similar meaning' })
  if (tags.length > 0)
    reasons.push({
      worth: relatedWeights.tags,
      text: `Same ${tags.length === 1 ? 'tag' : 'tags'}: ${tags
        .slice(0, 3)
        .map((tag) => `#${tag}`)
        .join(', ')}`,
    })
  if (isNeighbour) reasons.push({ worth: relatedWeights.folder / 2, text: 'Same folder' })
  const shown = reasons.sort((a, b) => b.worth - a.worth).slice(0, mostReasons)
  if (shown.length === 0) return { reasons: ['Similar meaning'], by: [] }
  return { reasons: shown.map(({ text }) => text), by: shown.flatMap(({ by }) => by ?? []) }
}

/** A mention by name always ranks first among the reasons. */
const mentionWorth = 1000
const mostReasons = 3
const mostShared = 4

const relationWords: Record<LinkRelation, string> = {
  citedTogether: 'Both are linked from',
  linkAlike: 'Both link to',
  between: 'One link away, through',
}

/** The note's most distinctive words that the other note shares, in the note's spelling. */
function sharedWords({ at, note }: Candidate, stems: readonly DistinctiveStem[], { segments }: IndexView): string[] {
  const { segment } = segments[at]!
  return segment
    .holding(
      note,
      stems.map(({ bytes }) => segment.findStem(bytes)),
    )
    .map((place) => stems[place]!.word)
    .slice(0, mostShared)
}

/** Weights of the signals, tuned on links removed from real notes (`bench/related`). */
interface RelatedWeights {
  /** Distinctive stems used for comparison. */
  stems: number
  words: number
  meaning: number
  /** Weights for notes linked from the same note, notes linking to the same note, and notes two links away. */
  citedTogether: number
  linkAlike: number
  between: number
  /** Weights for mentions: the other's name in this note, this note's name in the other. Less for common words. */
  named: number
  names: number
  tags: number
  folder: number
}

/** Exported for `bench/related`, which tries other values. */
export const relatedWeights: RelatedWeights = {
  stems: 80,
  words: 1,
  meaning: 0.5,
  citedTogether: 3,
  linkAlike: 0.5,
  between: 1.5,
  named: 30,
  names: 4,
  tags: 0.5,
  folder: 0.15,
}
