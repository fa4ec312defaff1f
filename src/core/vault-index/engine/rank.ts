import { knowledgeOf, type LsaModel, type QueryVector } from '../semantic/index.js'
import type { Candidate } from './candidate.js'
import { lexicalCandidates, semanticCandidates } from './candidates.js'
import { type Collection, collectionOf } from './collection.js'
import { type Eligible, eligibleNotes } from './eligible.js'
import { explainTerms, type Why } from './explain.js'
import { type Judged, judge, type Meaning, type Scales } from './fusion.js'
import { scoreStems } from './lexical.js'
import { standardScore } from './mean-and-deviation.js'
import { nameMatcher, notesCalled } from './name-match.js'
import type { Query } from './query.js'
import { defaultRecipe, type Recipe } from './recipe.js'
import { rerank } from './rerank.js'
import { scoreRows } from './rows.js'
import type { Segment } from './segment.js'
import { type SearchedSegment, semanticScores, vectorScores } from './semantic-scores.js'
import { TopScores } from './top-scores.js'
import { understand } from './understand.js'

export interface Engine {
  segments: readonly SearchedSegment[]
  model?: LsaModel
  /** The query as a provider's model sees it, when one is configured. */
  embedding?: QueryVector
}

export interface RankOptions {
  limit: number
  mode: 'hybrid' | 'lexical' | 'semantic'
  /** Ids of the notes that may be shown, ascending; all when undefined. Counts stay those of the whole vault. */
  allowed?: Int32Array
  /** Several passages of one note instead of its best one. */
  passages?: boolean
  explain?: boolean
}

export interface Hit {
  /** Id of the note. */
  note: number
  path: string
  title: string
  /** Which of its chunks to show. */
  ordinal: number
  /** 0 to 1: how much of what was asked the hit says. 0 is the vault's average note, 1 has all of it, or is its name. */
  score: number
  why?: Why
}

export interface Ranked {
  hits: Hit[]
  corrected?: Record<string, string>
  phraseMissed?: boolean
}

/** The notes that answer a question, best first. */
export function rank(engine: Engine, text: string, options: RankOptions, recipe: Recipe = defaultRecipe): Ranked {
  const segments = engine.segments.map(({ segment }) => segment)
  const collection = collectionOf(segments)
  const { query, corrected } = understand(segments, text, recipe)
  if (query.words.length === 0 || collection.notes === 0) return { hits: [] }
  const { isEligible, phraseMissed } = eligibleNotes(segments, query, options.allowed)
  const pool = poolOf({ engine, segments, query, collection, isEligible, options, recipe })
  const judged = judgeAll(pool, segments, recipe, options.passages === true)
  favourNames(judged, pool, beginningSo(segments, query), lyingThere(segments, query), recipe)
  const hits = bestHits(judged, pool.whole, segments, query, options)
  return { hits, ...(corrected && { corrected }), ...(phraseMissed && { phraseMissed }) }
}

interface Asked {
  engine: Engine
  segments: readonly Segment[]
  query: Query
  collection: Collection
  isEligible: Eligible['isEligible']
  options: RankOptions
  recipe: Recipe
}

/** What may be an answer, and the scales to judge it by. */
interface Pool {
  candidates: Candidate[]
  /** Those called exactly what was asked for. */
  called: ReadonlySet<Candidate>
  scales: Scales
  /** The standing of a note that says all that was asked. */
  whole: number
}

function poolOf({ engine, segments, query, collection, isEligible, options, recipe }: Asked): Pool {
  const meanings = meaningsOf(engine, query, options.mode, collection, recipe)
  const limit = Math.max(recipe.candidates, options.limit)
  const best = scoreStems(segments, query, collection, recipe)
  scoreRows(segments, query, collection, recipe)
  const lexical = lexicalCandidates(segments, isEligible, limit, recipe)
  rerank(segments, lexical.candidates, query, collection, recipe)
  const isPureSemantic = options.mode === 'semantic' && meanings.length > 0
  const candidates = isPureSemantic ? [] : lexical.candidates
  const areFew = lexical.candidates.length < recipe.fewCandidates
  for (const { scores, findsMore } of meanings) {
    if (findsMore || isPureSemantic || areFew) semanticCandidates(segments, scores, isEligible, limit, candidates)
  }
  const called = addCalled(candidates, segments, query, isEligible)
  const { noteScale, chunkScale } = lexical
  const scales = { lexicalWeight: isPureSemantic ? 0 : 1, noteScale, chunkScale, meanings }
  return { candidates, called, scales, whole: wholeAnswer(scales, best, recipe) }
}

/** Notes that are called what was asked for are candidates, whatever they say. */
function addCalled(
  candidates: Candidate[],
  segments: readonly Segment[],
  query: Query,
  isEligible: Eligible['isEligible'],
): Set<Candidate> {
  const called = new Set<Candidate>()
  for (const [at, segment] of segments.entries()) {
    for (const note of notesCalled(segment, query)) {
      if (isEligible(at, note)) called.add(candidateIn(candidates, at, note, segment.arrays.noteIds[note]))
    }
  }
  return called
}

function wholeAnswer({ lexicalWeight, noteScale, chunkScale, meanings }: Scales, best: number, recipe: Recipe): number {
  const byWords =
    recipe.noteShare * standardScore(best, noteScale) + recipe.chunkShare * standardScore(best, chunkScale)
  if (lexicalWeight > 0) return Math.max(1, byWords)
  // By meaning alone, the same direction is as near as can be.
  const byMeaning = meanings.map(
    ({ scores, weight }) => weight * (standardScore(1, scores.noteScale) + standardScore(1, scores.chunkScale)),
  )
  return Math.max(
    1,
    byMeaning.reduce((sum, part) => sum + part, 0),
  )
}

function judgeAll({ candidates, scales }: Pool, segments: readonly Segment[], recipe: Recipe, each: boolean): Judged[] {
  const judged: Judged[] = []
  for (const candidate of candidates) judge(segments, candidate, scales, recipe, each, judged)
  return judged
}

function beginningSo(segments: readonly Segment[], query: Query): (candidate: Candidate) => boolean {
  const matchers = segments.map((segment) => nameMatcher(segment, query))
  return ({ at, note }) => matchers[at](note) === 'start'
}

/** Whether the note lies where the pasted path says: of several that are called so, that one is meant. */
function lyingThere(segments: readonly Segment[], query: Query): (candidate: Candidate) => boolean {
  const wanted = `/${query.path.toLowerCase().replace(/^\/+/, '')}.md`
  return ({ at, note }) => query.path !== '' && `/${segments[at].label(note).path}`.toLowerCase().endsWith(wanted)
}

function bestHits(
  judged: readonly Judged[],
  whole: number,
  segments: readonly Segment[],
  query: Query,
  options: RankOptions,
): Hit[] {
  const best = new TopScores(options.limit)
  // Among equals the note first written wins, then its first passage.
  for (const [key, { total, candidate }] of judged.entries()) best.offer(total, candidate.id, key)
  return Array.from(best.sorted(), (key) => hitOf(judged[key], whole, segments, query, options))
}

function hitOf(
  { candidate, ordinal, total, parts }: Judged,
  whole: number,
  segments: readonly Segment[],
  query: Query,
  { explain }: RankOptions,
): Hit {
  const { path, title } = segments[candidate.at].label(candidate.note)
  const hit: Hit = { note: candidate.id, path, title, ordinal, score: Math.min(1, Math.max(0, total / whole)) }
  if (explain) hit.why = { ...parts, ...explainTerms(segments[candidate.at], candidate, query) }
  return hit
}

/** A provider's model finds notes that share no word with the query; the vault's own only orders what words found. */
function meaningsOf(
  { segments, model, embedding }: Engine,
  query: Query,
  mode: RankOptions['mode'],
  collection: Collection,
  recipe: Recipe,
): (Meaning & { findsMore: boolean })[] {
  if (mode === 'lexical') return []
  const isPure = mode === 'semantic'
  const own = isPure || collection.notes >= recipe.semanticFrom ? semanticScores(segments, model, query) : undefined
  const provided = embedding === undefined ? undefined : vectorScores(segments, 'embedded', embedding)
  const ownWeight = isPure || model === undefined ? 1 : ownMeaningWeight(model, query, collection, recipe)
  return [
    ...(own === undefined ? [] : [{ scores: own, weight: ownWeight, findsMore: false }]),
    ...(provided === undefined ? [] : [{ scores: provided, weight: isPure ? 1 : recipe.provided, findsMore: true }]),
  ]
}

/** The vault's own model steps back where it knows little of what is asked, and in a small vault. */
function ownMeaningWeight(model: LsaModel, query: Query, { notes, chunks }: Collection, recipe: Recipe): number {
  return recipe.semantic * Math.min(1, notes / recipe.semanticFull) * knowledgeOf(model, query.stems, chunks)
}

/** A note called exactly what was asked for comes first, one at the pasted path before all; one whose name begins so is moved up. */
function favourNames(
  judged: Judged[],
  { called, whole }: Pool,
  beginsSo: (candidate: Candidate) => boolean,
  isPasted: (candidate: Candidate) => boolean,
  recipe: Recipe,
): void {
  let top = whole
  for (const entry of judged) {
    if (!called.has(entry.candidate) && beginsSo(entry.candidate)) entry.parts.name = recipe.namePrefix
    entry.total += entry.parts.name
    top = Math.max(top, entry.total)
  }
  for (const entry of judged) {
    if (!called.has(entry.candidate)) continue
    entry.parts.name = (isPasted(entry.candidate) ? 2 * top : top) + 1 + Math.max(0, -entry.total)
    entry.total += entry.parts.name
  }
}

function candidateIn(pool: Candidate[], at: number, note: number, id: number): Candidate {
  const known = pool.find((candidate) => candidate.at === at && candidate.note === note)
  if (known !== undefined) return known
  const added: Candidate = { at, note, id, surface: 0, subword: 0 }
  pool.push(added)
  return added
}
