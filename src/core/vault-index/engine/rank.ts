import type { LsaModel, QueryVector } from '../semantic/index.js'
import { Best } from './best.js'
import type { Candidate } from './candidate.js'
import { lexicalCandidates, semanticCandidates } from './candidates.js'
import { collectionOf } from './collection.js'
import { eligibleNotes } from './eligible.js'
import { explainTerms, type Why } from './explain.js'
import { type Judged, judge, type Meaning, type Scales } from './fusion.js'
import { scoreStems } from './lexical.js'
import { nameMatcher, notesCalled } from './name-match.js'
import type { Query } from './query.js'
import { defaultRecipe, type Recipe } from './recipe.js'
import { rerank } from './rerank.js'
import type { Segment } from './segment.js'
import { type SearchedSegment, semanticScores, vectorScores } from './semantic-scores.js'
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
  /** 0 to 1; it rises with the standing of the hit above the vault's average note. */
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
  const segments: Segment[] = []
  for (const { segment } of engine.segments) segments.push(segment)
  const collection = collectionOf(segments)
  const { query, corrected } = understand(segments, text)
  if (query.words.length === 0 || collection.notes === 0) return { hits: [] }

  const { isEligible, phraseMissed } = eligibleNotes(segments, query, options.allowed)
  const meanings = meaningsOf(engine, query, options.mode, collection.notes, recipe)
  const limit = Math.max(recipe.candidates, options.limit)

  scoreStems(segments, query, collection, recipe)
  const { candidates, noteScale, chunkScale } = lexicalCandidates(segments, isEligible, limit, recipe)
  rerank(segments, candidates, query, collection, recipe)
  const isPureSemantic = options.mode === 'semantic' && meanings.length > 0
  const pool = isPureSemantic ? [] : candidates
  for (const { scores, findsMore } of meanings) {
    if (findsMore || isPureSemantic || candidates.length < recipe.fewCandidates) {
      semanticCandidates(segments, scores, isEligible, limit, pool)
    }
  }
  const called = new Set<Candidate>()
  for (let at = 0; at < segments.length; at++) {
    for (const note of notesCalled(segments[at], query))
      if (isEligible(at, note)) called.add(candidateIn(pool, at, note, segments[at].arrays.noteIds[note]))
  }

  const scales: Scales = { lexicalWeight: isPureSemantic ? 0 : 1, noteScale, chunkScale, meanings }
  const judged: Judged[] = []
  for (const candidate of pool) judge(segments, candidate, scales, recipe, options.passages === true, judged)
  const matchers: ReturnType<typeof nameMatcher>[] = []
  for (const segment of segments) matchers.push(nameMatcher(segment, query))
  favourNames(judged, called, ({ at, note }) => matchers[at](note) === 'start', recipe)
  const best = new Best(options.limit)
  // Among equals the note first written wins, then its first passage.
  for (let key = 0; key < judged.length; key++) best.offer(judged[key].total, judged[key].candidate.id, key)
  const hits: Hit[] = []
  for (const key of best.sorted()) {
    const { candidate, ordinal, total, parts } = judged[key]
    const label = segments[candidate.at].label(candidate.note)
    const hit: Hit = { note: candidate.id, ...label, ordinal, score: toUnit(total) }
    if (options.explain) hit.why = { ...parts, ...explainTerms(segments[candidate.at], candidate, query) }
    hits.push(hit)
  }
  return { hits, ...(corrected && { corrected }), ...(phraseMissed && { phraseMissed }) }
}

/** A provider's model finds notes that share no word with the query; the vault's own only orders what words found. */
function meaningsOf(
  { segments, model, embedding }: Engine,
  query: Query,
  mode: RankOptions['mode'],
  notes: number,
  recipe: Recipe,
): (Meaning & { findsMore: boolean })[] {
  if (mode === 'lexical') return []
  const isPure = mode === 'semantic'
  const own = isPure || notes >= recipe.semanticFrom ? semanticScores(segments, model, query) : undefined
  const provided = embedding === undefined ? undefined : vectorScores(segments, 'embedded', embedding)
  const ownWeight = isPure ? 1 : recipe.semantic * Math.min(1, notes / recipe.semanticFull)
  return [
    ...(own === undefined ? [] : [{ scores: own, weight: ownWeight, findsMore: false }]),
    ...(provided === undefined ? [] : [{ scores: provided, weight: isPure ? 1 : recipe.provided, findsMore: true }]),
  ]
}

/** A note called exactly what was asked for comes first; one whose name begins so is moved up. */
function favourNames(
  judged: Judged[],
  called: ReadonlySet<Candidate>,
  beginsSo: (candidate: Candidate) => boolean,
  recipe: Recipe,
): void {
  let top = 0
  for (const entry of judged) {
    if (!called.has(entry.candidate) && beginsSo(entry.candidate)) entry.parts.name = recipe.namePrefix
    entry.total += entry.parts.name
    top = Math.max(top, entry.total)
  }
  for (const entry of judged) {
    if (!called.has(entry.candidate)) continue
    entry.parts.name = top + 1 + Math.max(0, -entry.total)
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

function toUnit(total: number): number {
  return 0.5 + (0.5 * total) / (Math.abs(total) + 10)
}
