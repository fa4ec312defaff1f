import type { LsaModel } from '../semantic/lsa-model.js'
import { modelCoverage } from '../semantic/project-into-model.js'
import type { QueryVector } from '../semantic/vector-block.js'
import { analyzeQuery, contentWords, isMissing, type Query } from './analyze-query.js'
import { type Collection, collectionOf, MeanAndDeviation, type Scale, standardScore } from './collection.js'
import { scoreStems } from './lexical.js'
import { nameMatcher, notesWithName } from './note-names.js'
import { defaultWeights, type RankingWeights } from './ranking-weights.js'
import { type Candidate, rerank } from './rerank.js'
import type { Segment } from './segment.js'
import { VarintReader } from './segment-format.js'
import { type SearchedSegment, type SemanticScores, semanticScores, vectorScores } from './semantic-scores.js'
import { notesWithPhrases, scoreSequences } from './sequences.js'
import { TopScores } from './top-scores.js'

// `!` is used on arrays with one entry for each segment, and on arrays of a segment at its own notes.

export interface Engine {
  segments: readonly SearchedSegment[]
  model?: LsaModel | undefined
  /** The query's vector of the provider's model, if one is configured. */
  embedding?: QueryVector | undefined
}

export interface RankOptions {
  limit: number
  mode: 'hybrid' | 'lexical' | 'semantic'
  /** Ids of the notes that may be shown, ascending; all when undefined. Statistics stay those of the whole vault. */
  allowed?: Int32Array | undefined
  /** Rank every matching passage instead of the best one of each note. */
  passages?: boolean | undefined
  explain?: boolean | undefined
}

export interface Hit {
  /** Id of the note. */
  note: number
  path: string
  title: string
  /** The chunk to show. */
  ordinal: number
  /** 0 to 1: 0 is the vault's average note, 1 a full match or an exact name. */
  score: number
  why?: Why
}

interface Ranked {
  hits: Hit[]
  /** With `explain`: the words that were searched, without function words, and those of them that no note contains. */
  words?: string[]
  missing?: string[]
  corrected?: Record<string, string>
  phraseMissed?: boolean
}

/** Ranks the notes of the vault for a query, best first. */
export function rank(
  engine: Engine,
  text: string,
  options: RankOptions,
  ranking: RankingWeights = defaultWeights,
): Ranked {
  const segments = engine.segments.map(({ segment }) => segment)
  const collection = collectionOf(segments)
  const { query, corrected } = analyzeQuery(segments, text, ranking)
  if (query.words.length === 0 || collection.notes === 0) return { hits: [] }
  const { isEligible, phraseMissed } = eligibleNotes(segments, query, options.allowed)
  const pool = gatherCandidates({ engine, segments, query, collection, isEligible, options, ranking })
  const ranked = rankAll(pool, segments, ranking, options.passages === true)
  boostNames(ranked, pool, nameStartTest(segments, query), pastedPathTest(segments, query), ranking)
  const hits = topHits(ranked, pool.fullMatch, segments, query, options)
  const words = options.explain ? contentWords(query) : undefined
  return {
    hits,
    ...(words && { words, missing: words.filter((word) => isMissing(segments, word)) }),
    ...(corrected && { corrected }),
    ...(phraseMissed && { phraseMissed }),
  }
}

interface RankInput {
  engine: Engine
  segments: readonly Segment[]
  query: Query
  collection: Collection
  isEligible: Eligible['isEligible']
  options: RankOptions
  ranking: RankingWeights
}

/** The candidates and the scales that make their scores comparable. */
interface CandidatePool {
  candidates: Candidate[]
  /** Notes whose title equals the query. */
  namedExactly: ReadonlySet<Candidate>
  scales: Scales
  /** The total of a full match. */
  fullMatch: number
}

function gatherCandidates({
  engine,
  segments,
  query,
  collection,
  isEligible,
  options,
  ranking,
}: RankInput): CandidatePool {
  const signals = semanticSignals(engine, query, options.mode, collection, ranking)
  const limit = Math.max(ranking.candidates, options.limit)
  const best = scoreStems(segments, query, collection, ranking)
  scoreSequences(segments, query, collection, ranking)
  const lexical = lexicalCandidates(segments, isEligible, limit, ranking)
  rerank(segments, lexical.candidates, query, collection, ranking)
  const isPureSemantic = options.mode === 'semantic' && signals.length > 0
  const candidates = isPureSemantic ? [] : lexical.candidates
  const areFew = lexical.candidates.length < ranking.fewCandidates
  for (const { scores, findsMore } of signals) {
    if (findsMore || isPureSemantic || areFew) semanticCandidates(segments, scores, isEligible, limit, candidates)
  }
  const namedExactly = addNamedExactly(candidates, segments, query, isEligible)
  const { noteScale, chunkScale } = lexical
  const scales = { lexicalWeight: isPureSemantic ? 0 : 1, noteScale, chunkScale, signals }
  return { candidates, namedExactly, scales, fullMatch: fullMatchScore(scales, best, ranking) }
}

/** Notes whose name equals the query are candidates, whatever their text. */
function addNamedExactly(
  candidates: Candidate[],
  segments: readonly Segment[],
  query: Query,
  isEligible: Eligible['isEligible'],
): Set<Candidate> {
  const namedExactly = new Set<Candidate>()
  for (const [at, segment] of segments.entries()) {
    for (const note of notesWithName(segment, query)) {
      if (isEligible(at, note))
        namedExactly.add(findOrAddCandidate(candidates, at, note, segment.arrays.noteIds[note]!))
    }
  }
  return namedExactly
}

function fullMatchScore(
  { lexicalWeight, noteScale, chunkScale, signals }: Scales,
  best: number,
  ranking: RankingWeights,
): number {
  const byWords =
    ranking.noteShare * standardScore(best, noteScale) + ranking.chunkShare * standardScore(best, chunkScale)
  if (lexicalWeight > 0) return Math.max(1, byWords)
  // In semantic mode a cosine of 1 is a full match.
  const bySignal = signals.map(
    ({ scores, weight }) => weight * (standardScore(1, scores.noteScale) + standardScore(1, scores.chunkScale)),
  )
  return Math.max(
    1,
    bySignal.reduce((sum, part) => sum + part, 0),
  )
}

function rankAll(
  { candidates, scales }: CandidatePool,
  segments: readonly Segment[],
  ranking: RankingWeights,
  each: boolean,
): RankedCandidate[] {
  const ranked: RankedCandidate[] = []
  for (const candidate of candidates) rankCandidate(segments, candidate, scales, ranking, each, ranked)
  return ranked
}

function nameStartTest(segments: readonly Segment[], query: Query): (candidate: Candidate) => boolean {
  const matchers = segments.map((segment) => nameMatcher(segment, query))
  return ({ at, note }) => matchers[at]!(note) === 'start'
}

/** True for the note at the pasted path, if several have its name. */
function pastedPathTest(segments: readonly Segment[], query: Query): (candidate: Candidate) => boolean {
  const wanted = `/${query.path.toLowerCase().replace(/^\/+/, '')}.md`
  return ({ at, note }) => query.path !== '' && `/${segments[at]!.label(note).path}`.toLowerCase().endsWith(wanted)
}

function topHits(
  ranked: readonly RankedCandidate[],
  fullMatch: number,
  segments: readonly Segment[],
  query: Query,
  options: RankOptions,
): Hit[] {
  const best = new TopScores(options.limit)
  // Ties go to the smaller id, then to the earlier passage.
  for (const [key, { total, candidate }] of ranked.entries()) best.offer(total, candidate.id, key)
  return Array.from(best.sorted(), (key) => hitOf(ranked[key]!, fullMatch, segments, query, options))
}

function hitOf(
  { candidate, ordinal, total, parts }: RankedCandidate,
  fullMatch: number,
  segments: readonly Segment[],
  query: Query,
  { explain }: RankOptions,
): Hit {
  const { path, title } = segments[candidate.at]!.label(candidate.note)
  const hit: Hit = { note: candidate.id, path, title, ordinal, score: Math.min(1, Math.max(0, total / fullMatch)) }
  if (explain) hit.why = { ...parts, ...explainTerms(segments[candidate.at]!, candidate, query) }
  return hit
}

/** A provider's vectors add candidates; the vault's own model only orders those that words found. */
function semanticSignals(
  { segments, model, embedding }: Engine,
  query: Query,
  mode: RankOptions['mode'],
  collection: Collection,
  ranking: RankingWeights,
): (SemanticSignal & { findsMore: boolean })[] {
  if (mode === 'lexical') return []
  const isPure = mode === 'semantic'
  const own = isPure || collection.notes >= ranking.semanticFrom ? semanticScores(segments, model, query) : undefined
  const provided = embedding === undefined ? undefined : vectorScores(segments, 'embedded', embedding)
  const ownWeight = isPure || model === undefined ? 1 : vaultModelWeight(model, query, collection, ranking)
  return [
    ...(own === undefined ? [] : [{ scores: own, weight: ownWeight, findsMore: false }]),
    ...(provided === undefined ? [] : [{ scores: provided, weight: isPure ? 1 : ranking.provided, findsMore: true }]),
  ]
}

/** The vault's own model counts less in small vaults and for queries it covers little of. */
function vaultModelWeight(
  model: LsaModel,
  query: Query,
  { notes, chunks }: Collection,
  ranking: RankingWeights,
): number {
  return ranking.semantic * Math.min(1, notes / ranking.semanticFull) * modelCoverage(model, query.stems, chunks)
}

/** Exact names rank first, the pasted path above all; a name that starts with the query is moved up. */
function boostNames(
  ranked: RankedCandidate[],
  { namedExactly, fullMatch }: CandidatePool,
  startsWithQuery: (candidate: Candidate) => boolean,
  isPasted: (candidate: Candidate) => boolean,
  ranking: RankingWeights,
): void {
  let top = fullMatch
  for (const entry of ranked) {
    if (!namedExactly.has(entry.candidate) && startsWithQuery(entry.candidate)) entry.parts.name = ranking.namePrefix
    entry.total += entry.parts.name
    top = Math.max(top, entry.total)
  }
  for (const entry of ranked) {
    if (!namedExactly.has(entry.candidate)) continue
    entry.parts.name = (isPasted(entry.candidate) ? 2 * top : top) + 1 + Math.max(0, -entry.total)
    entry.total += entry.parts.name
  }
}

function findOrAddCandidate(pool: Candidate[], at: number, note: number, id: number): Candidate {
  const known = pool.find((candidate) => candidate.at === at && candidate.note === note)
  if (known !== undefined) return known
  const added: Candidate = { at, note, id, surface: 0, subword: 0 }
  pool.push(added)
  return added
}

interface Eligible {
  /** True for notes that may be shown. */
  isEligible: (at: number, note: number) => boolean
  /** No eligible note contains the quoted phrases, so they were ignored. */
  phraseMissed: boolean
}

/** Notes that may be hits: alive, allowed by the caller, and containing the quoted phrases. */
function eligibleNotes(segments: readonly Segment[], query: Query, allowed: Int32Array | undefined): Eligible {
  const allowedIds = allowed === undefined ? undefined : markedIds(allowed)
  const isAllowed = (at: number, note: number) =>
    segments[at]!.dead[note] === 0 &&
    (allowedIds === undefined || allowedIds[segments[at]!.arrays.noteIds[note]!] === 1)
  if (query.phrases.length === 0) return { isEligible: isAllowed, phraseMissed: false }
  const withPhrases = segments.map((segment) => notesWithPhrases(segment, query.phrases))
  const holdsPhrases = (at: number, note: number) => withPhrases[at]?.[note] === 1 && isAllowed(at, note)
  const isFound = withPhrases.some((marks, at) => marks?.some((mark, note) => mark === 1 && isAllowed(at, note)))
  return { isEligible: isFound ? holdsPhrases : isAllowed, phraseMissed: !isFound }
}

function markedIds(ids: Int32Array): Uint8Array {
  const marks = new Uint8Array((ids.at(-1) ?? -1) + 1)
  for (const id of ids) marks[id] = 1
  return marks
}

interface LexicalCandidates {
  /** Best first. */
  candidates: Candidate[]
  /** Mean and deviation of the scores of all live notes, and of all their chunks. */
  noteScale: Scale
  chunkScale: Scale
}

/** Less than the deviation caused by one rare word in one of 100,000 notes. */
const leastDeviation = 0.02

/** The best notes by the scores that `scoreStems` wrote into the segments. */
function lexicalCandidates(
  segments: readonly Segment[],
  isEligible: (at: number, note: number) => boolean,
  limit: number,
  { noteShare, chunkShare }: RankingWeights,
): LexicalCandidates {
  const notes = new MeanAndDeviation()
  const chunks = new MeanAndDeviation()
  for (const segment of segments) measureScores(segment, notes, chunks)
  const noteScale = notes.done(leastDeviation)
  const chunkScale = chunks.done(leastDeviation)
  const best = new TopScores(limit)
  const noteFactor = noteShare / noteScale.deviation
  const chunkFactor = chunkShare / chunkScale.deviation
  for (const [at, segment] of segments.entries()) {
    const { noteScores, unitScores, noteCount } = segment
    const { noteIds, noteUnits } = segment.arrays
    let threshold = best.threshold
    for (let note = 0; note < noteCount; note++) {
      const noteScore = noteScores[note]!
      if (noteScore === 0) continue
      const score = noteFactor * noteScore + chunkFactor * unitScores[noteUnits[note]!]!
      if (score < threshold || !isEligible(at, note)) continue
      best.offer(score, noteIds[note]!, at * 2 ** 32 + note)
      threshold = best.threshold
    }
  }
  const candidates: Candidate[] = []
  for (const key of best.sorted()) candidates.push(toCandidate(segments, key))
  return { candidates, noteScale, chunkScale }
}

/** Adds the notes nearest by whole-note vector to the candidates. */
function semanticCandidates(
  segments: readonly Segment[],
  semantic: SemanticScores,
  isEligible: (at: number, note: number) => boolean,
  limit: number,
  into: Candidate[],
): void {
  const best = new TopScores(limit)
  for (const [at, { noteCount, arrays }] of segments.entries()) {
    const cosines = semantic.ofNotes(at)
    if (cosines === undefined) continue
    for (let note = 0; note < noteCount; note++) {
      if (cosines[note]! < best.threshold || !isEligible(at, note)) continue
      best.offer(cosines[note]!, arrays.noteIds[note]!, at * 2 ** 32 + note)
    }
  }
  const known = new Set(into.map(({ at, note }) => at * 2 ** 32 + note))
  for (const key of best.sorted()) if (!known.has(key)) into.push(toCandidate(segments, key))
}

/**
 * Adds a segment's scores to the statistics. Each note's best chunk score is stored in the unit of its names, which
 * has no score of its own.
 */
function measureScores(segment: Segment, notes: MeanAndDeviation, chunks: MeanAndDeviation): void {
  const { noteScores, unitScores, dead, noteCount } = segment
  const { noteUnits, noteChunks } = segment.arrays
  let noteSum = 0
  let noteSquares = 0
  let chunkSum = 0
  let chunkSquares = 0
  for (let note = 0; note < noteCount; note++) {
    const noteScore = noteScores[note]!
    if (noteScore === 0 || dead[note] === 1) continue
    noteSum += noteScore
    noteSquares += noteScore * noteScore
    let best = 0
    const names = noteUnits[note]!
    const end = names + noteChunks[note + 1]! - noteChunks[note]!
    for (let unit = names + 1; unit <= end; unit++) {
      const score = unitScores[unit]!
      chunkSum += score
      chunkSquares += score * score
      if (score > best) best = score
    }
    unitScores[names] = best
  }
  // Notes and chunks without a score count as zeros.
  notes.addMany(noteSum, noteSquares, segment.liveNotes)
  chunks.addMany(chunkSum, chunkSquares, segment.liveChunks)
}

function toCandidate(segments: readonly Segment[], key: number): Candidate {
  const at = Math.floor(key / 2 ** 32)
  const note = key % 2 ** 32
  return { at, note, id: segments[at]!.arrays.noteIds[note]!, surface: 0, subword: 0 }
}

/** The explanation of a rank: the parts add up to the total, the rest shows what they were computed from. */
type Why = ScoreParts & TermScores

type TermScores = {
  /** BM25 of stems and names, of surface words, and of grams, for the whole note. Unspaced scripts have stems alone. */
  stems: number
  surface: number
  subword: number
  /** Stems of the query that the note contains, with their counts; those in its names; those of no function word. */
  terms: Record<string, number>
  inNames: string[]
  contentTerms: string[]
}

function explainTerms(segment: Segment, candidate: Candidate, query: Query): TermScores {
  const { noteUnits, unitStreams, wordStems } = segment.arrays
  const { note, surface, subword } = candidate
  const wanted = new Map(query.stems.map(({ text, bytes }) => [segment.findStem(bytes), text]))
  const terms = Object.create(null) as Record<string, number>
  const inNames = new Set<string>()
  for (let unit = noteUnits[note]!; unit < noteUnits[note + 1]!; unit++) {
    const reader = new VarintReader(segment.streamOf(unit, unit + 1), unitStreams[unit]!)
    while (reader.at < unitStreams[unit + 1]!) {
      const word = reader.next()
      const stem = word === 0 ? undefined : wanted.get(wordStems[word]!)
      if (stem === undefined) continue
      terms[stem] = (terms[stem] ?? 0) + 1
      if (unit === noteUnits[note]) inNames.add(stem)
    }
  }
  const contentTerms = query.stems.flatMap(({ text, isFunction }) => (text in terms && !isFunction ? [text] : []))
  const stems = segment.noteScores[note]! - surface - subword
  return { stems, surface, subword, terms, inNames: [...inNames], contentTerms }
}

interface Scales {
  lexicalWeight: number
  noteScale: Scale
  chunkScale: Scale
  /** Semantic scores of the vault's own model, of a provider's, of both or neither. */
  signals: readonly SemanticSignal[]
}

interface SemanticSignal {
  scores: SemanticScores
  weight: number
}

/** Contributions to a hit's total, in standard deviations above the vault's mean. */
type ScoreParts = {
  noteWords: number
  passageWords: number
  noteMeaning: number
  passageMeaning: number
  name: number
}

interface RankedCandidate {
  candidate: Candidate
  ordinal: number
  total: number
  parts: ScoreParts
}

/**
 * Combines word and vector scores of the whole note and of its best passage: the passage alone loses the topic, the
 * note alone loses the passage. With `each`, every passage is ranked on its own.
 */
function rankCandidate(
  segments: readonly Segment[],
  candidate: Candidate,
  scales: Scales,
  ranking: RankingWeights,
  each: boolean,
  into: RankedCandidate[],
): void {
  const { at, note } = candidate
  const segment = segments[at]!
  const { signals, lexicalWeight, chunkScale } = scales
  const first = segment.arrays.noteUnits[note]! + 1
  const chunkCount = segment.chunkEnd(note) - first
  const noteWords = lexicalWeight * ranking.noteShare * standardScore(segment.noteScores[note]!, scales.noteScale)
  let noteMeaning = 0
  for (const { scores, weight } of signals) {
    noteMeaning += weighCosine(scores.ofNote(at, note), scores.noteScale, weight * ranking.noteShare)
  }
  if (chunkCount === 0) {
    const passageWords = lexicalWeight * ranking.chunkShare * standardScore(0, chunkScale)
    into.push(rankedCandidate(candidate, 0, noteWords, noteMeaning, passageWords, 0))
    return
  }
  const already = into.length
  const cosines = signals.map(({ scores }) => scores.ofChunks(at, note))
  let shown = 0
  let bestWords = Number.NEGATIVE_INFINITY
  let secondWords = 0
  let bestMeaning = Number.NEGATIVE_INFINITY
  let bestBoth = Number.NEGATIVE_INFINITY
  for (let ordinal = 0; ordinal < chunkCount; ordinal++) {
    const score = segment.unitScores[first + ordinal]!
    const words = lexicalWeight * ranking.chunkShare * standardScore(score, chunkScale)
    let meaning = 0
    for (let which = 0; which < signals.length; which++) {
      const { scores, weight } = signals[which]!
      const cosine = cosines[which]?.[ordinal]
      if (!Number.isNaN(cosine)) meaning += weighCosine(cosine, scores.chunkScale, weight * ranking.chunkShare)
    }
    if (each && (score > 0 || chunkCount === 1 || lexicalWeight === 0)) {
      into.push(rankedCandidate(candidate, ordinal, noteWords, noteMeaning, words, meaning))
    }
    if (words > bestWords) {
      secondWords = Math.max(secondWords, bestWords)
      bestWords = words
    } else if (words > secondWords) {
      secondWords = words
    }
    if (meaning > bestMeaning) bestMeaning = meaning
    if (words + meaning > bestBoth) {
      bestBoth = words + meaning
      shown = ordinal
    }
  }
  if (into.length === already)
    into.push(
      rankedCandidate(
        candidate,
        shown,
        noteWords,
        noteMeaning,
        bestWords + ranking.secondShare * secondWords,
        bestMeaning,
      ),
    )
}

function rankedCandidate(
  candidate: Candidate,
  ordinal: number,
  noteWords: number,
  noteMeaning: number,
  passageWords: number,
  passageMeaning: number,
): RankedCandidate {
  const total = noteWords + noteMeaning + passageWords + passageMeaning
  return { candidate, ordinal, total, parts: { noteWords, passageWords, noteMeaning, passageMeaning, name: 0 } }
}

function weighCosine(cosine: number | undefined, scale: Scale, weight: number): number {
  return cosine === undefined ? 0 : weight * standardScore(cosine, scale)
}
