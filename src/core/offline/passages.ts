import {
  type NoteLink,
  type ReadableLine,
  type RegionKind,
  readLines,
  restoreSentenceEnds,
  type ScannedNote,
  scanNote,
} from '../markdown/index.js'
import { originalText } from '../text/index.js'
import { bestSimilarities, countSharedPairs, hasUnspacedScript, type Term, wordsIn } from './terms.js'
import type { QuotableText } from './tool-results.js'

export interface Passage {
  path?: string
  title: string
  heading?: string
  text: string
  isProperty?: true
  /** The list that this sentence introduces. */
  items?: string[]
}

export interface PassageSelection {
  /** Best note first; within a note in the order of the note. */
  passages: Passage[]
  /** The note of the best passage, or the best hit when nothing fits. */
  best?: string
  /** The share of the terms that the passages contain, 0 to 1. */
  coverage: number
  /** How far the hits are about the question, and the number this is decided by. */
  relevance: Relevance
  evidence: number
  /** The terms that no passage contains, and the others. */
  missing: Term[]
  covered: Term[]
  /** The best hits without a sentence to quote. */
  unquoted: string[]
  /** The note that the passages refer to for more, if it has not been read. */
  linkedNote?: string
}

/** A passage answers, a passage has a part of it, or the notes do not mention it. */
export type Relevance = 'full' | 'part' | 'none'

/**
 * The best search score, 0 to 1, and the best share of the terms in one hit, 0 to 1, are added. Below the first bound
 * the hits are not about the question, below the second one a part is missing. Chosen on judged questions of nine
 * vaults, each asked in its own and in the other vaults (`bench/offline`). Pairs of characters in an unspaced script
 * straddle words, so fewer of them are found.
 */
const relevanceBounds = { spaced: { part: 0.55, full: 1.25 }, unspaced: { part: 0.35, full: 0.5 } }

const maxPassages = 6
const maxPerNote = 3
/** This many of the best hits are quoted at least once: the search score covers more than the best sentence. */
const hitsAlwaysQuoted = 4
/** Skips hits that score below this fraction of the best hit. */
const minShareOfBestHit = 0.5
/** Skips passages that score below this fraction of the best passage. */
const minShareOfBest = 0.5
const maxUnits = 5000

interface ScoredUnit extends Passage {
  /** Key of the list it is an item of, or introduces. */
  list?: string
  opensList?: true
  /** Position among all units, and in its own source. */
  order: number
  position: number
  words: string[]
  /** Similarity for each term (0 to 1): of the text, its heading, the note's name, and the best of them, weighted. */
  inText: number[]
  inHeading: number[]
  inName: number[]
  best: number[]
  score: number
  weight: number
}

/** Selects the sentences that match the terms best, without near duplicates. */
export function selectPassages(terms: readonly Term[], allSources: readonly QuotableText[]): PassageSelection {
  const sources = allSources.filter(({ isFollowed }) => !isFollowed)
  const units = scoredUnits(terms, sources)
  const rarity = rarities(terms, units)
  for (const unit of units) unit.score = score(unit, terms, rarity)
  const ranked = units.filter((unit) => unit.score > 0).sort((a, b) => b.score - a.score || a.order - b.order)
  const top = ranked[0]
  const hit = sources.find(({ path }) => path !== undefined)?.path
  const evidence = evidenceIn(terms, sources, units)
  const relevance = relevanceOf(terms, evidence)
  if (top === undefined) {
    const nothing = { passages: [], coverage: 0, relevance, evidence, missing: [...terms], covered: [] }
    return { ...nothing, ...(hit && { best: hit }), unquoted: bestHits(sources) }
  }

  const hits = bestHits(sources)
  const chosen = bestOfEachNote(ranked, hits)
  const unquoted = hits.filter((path) => !ranked.some((unit) => unit.path === path))
  if (coverageOf(chosen, terms) < 1) chosen.push(...unquoted.flatMap((path) => openingOf(path, sources, units)))
  const linkedNote = noteToReadNext(terms, chosen, sources)
  const linked = allSources.filter(
    ({ path, isFollowed }) => isFollowed || (linkedNote && path && mayLinkTo(path, linkedNote)),
  )
  chosen.push(...bestSentence(scoredUnits(terms, linked), chosen, (unit) => score(unit, terms, rarity)))
  for (const unit of ranked) {
    if (chosen.length >= maxPassages || unit.score < top.score * minShareOfBest) break
    const isFull = chosen.filter(({ path, title }) => path === unit.path && title === unit.title).length === maxPerNote
    if (!isFull && !chosen.some((other) => isNearDuplicate(unit, other))) chosen.push(unit)
  }
  const best = top.path ?? hit
  const quoted = withWholeLists(chosen, units)
  const coverage = coverageOf(chosen, terms)
  const isCovered = terms.map((_, at) => chosen.some(({ best: found }) => (found[at] ?? 0) > 0))
  const covered = terms.filter((_, at) => isCovered[at])
  const missing = terms.filter((_, at) => !isCovered[at])
  const passages = groupedByNote(quoted).map(asPassage)
  const isUnread = passages.length > 0 && linked.length === 0
  const found = { passages, coverage, relevance, evidence, missing, covered, unquoted }
  return { ...found, ...(best && { best }), ...(isUnread && linkedNote && { linkedNote }) }
}

const maxItems = 15

/** A list whose introduction was chosen, or two of its items, is quoted whole below its introduction. */
function withWholeLists(chosen: readonly ScoredUnit[], units: readonly ScoredUnit[]): ScoredUnit[] {
  const inList = (list: string | undefined) => (list === undefined ? [] : chosen.filter((unit) => unit.list === list))
  const introductions = new Map<string, ScoredUnit>()
  for (const unit of units) {
    const isWanted = unit.opensList && (chosen.includes(unit) || inList(unit.list).length > 1)
    if (!isWanted || unit.list === undefined) continue
    const items = units.filter((other) => other.list === unit.list && !other.opensList).map(({ text }) => text)
    if (items.length > 1) introductions.set(unit.list, { ...unit, items: items.slice(0, maxItems) })
  }
  const seen = new Set<string>()
  return chosen.flatMap((unit) => {
    const introduction = introductions.get(unit.list ?? '')
    if (introduction === undefined || unit.list === undefined) return [unit]
    if (seen.has(unit.list)) return []
    seen.add(unit.list)
    return [introduction]
  })
}

/** The best sentence, or the first if none scores, unless a chosen one says the same. */
function bestSentence(
  units: readonly ScoredUnit[],
  chosen: readonly ScoredUnit[],
  scoreOf: (unit: ScoredUnit) => number,
): ScoredUnit[] {
  const sentences = units.filter(({ isProperty }) => !isProperty).map((unit) => ({ ...unit, score: scoreOf(unit) }))
  const [best] = sentences.sort((a, b) => b.score - a.score)
  return best === undefined || chosen.some((other) => isNearDuplicate(best, other)) ? [] : [best]
}

function bestHits(sources: readonly QuotableText[]): string[] {
  const best = Math.max(...sources.map(({ score = 0 }) => score))
  const inOrder = sources
    .filter(({ path, score = best }) => path !== undefined && score >= best * minShareOfBestHit)
    .sort((a, b) => b.weight - a.weight)
  return [...new Set(inOrder.flatMap(({ path }) => path ?? []))].slice(0, hitsAlwaysQuoted)
}

/** The best sentence of each of these notes, in their order. */
function bestOfEachNote(ranked: readonly ScoredUnit[], paths: readonly string[]): ScoredUnit[] {
  const chosen: ScoredUnit[] = []
  for (const wanted of paths) {
    const best = ranked.find((unit) => unit.path === wanted && !chosen.some((other) => isNearDuplicate(unit, other)))
    if (best !== undefined) chosen.push(best)
  }
  return chosen
}

/** The opening sentence of a hit without any of the words: the search found it by meaning. */
function openingOf(path: string, sources: readonly QuotableText[], units: readonly ScoredUnit[]): ScoredUnit[] {
  const hit = sources.find((source) => source.path === path && source.score !== undefined)
  const [first] = hit === undefined ? [] : quotableUnits(hit.text, hit.heading)
  return units.filter((unit) => unit.path === path && unit.text === first?.text)
}

function scoredUnits(terms: readonly Term[], sources: readonly QuotableText[]): ScoredUnit[] {
  const seen = new Set<string>()
  const units: ScoredUnit[] = []
  for (const [source, { path, title, heading: first, text, isStart, weight }] of sources.entries()) {
    const name = wordsIn(`${title} ${path ?? ''}`)
    const inName = bestSimilarities(terms, name)
    const byHeading = new Map<string | undefined, number[]>([[undefined, terms.map(() => 0)]])
    for (const [position, unit] of quotableUnits(text, first, isStart).entries()) {
      const key = `${path ?? title}\n${unit.text}`
      if (seen.has(key) || units.length >= maxUnits || (unit.isProperty && repeatsName(unit, name))) continue
      seen.add(key)
      const heading = unit.heading === title ? undefined : unit.heading
      const inHeading = byHeading.get(heading) ?? bestSimilarities(terms, wordsIn(heading ?? ''))
      byHeading.set(heading, inHeading)
      const words = wordsIn(unit.text)
      const inText = bestSimilarities(terms, words)
      const best = inText.map((value, at) => Math.max(value, 0.6 * (inHeading[at] ?? 0), 0.5 * (inName[at] ?? 0)))
      const { isProperty, opensList } = unit
      const list = unit.list === undefined ? undefined : `${source} ${unit.list}`
      const passage = {
        title,
        text: unit.text,
        ...(isProperty && { isProperty }),
        ...(path !== undefined && { path }),
        ...(heading && { heading }),
        ...(list && { list }),
        ...(opensList && { opensList }),
      }
      units.push({
        ...passage,
        order: units.length,
        position,
        words,
        inText,
        inHeading,
        inName,
        best,
        score: 0,
        weight,
      })
    }
  }
  return units
}

/** True for a property that only repeats the name of its note: its title, its address. */
function repeatsName({ text }: QuotableUnit, name: readonly string[]): boolean {
  const value = wordsIn(text.slice(text.indexOf(':') + 1))
  return value.length > 0 && value.every((word) => name.includes(word))
}

/** Weights a term by its rarity: a word in every unit says little. */
function rarities(terms: readonly Term[], units: readonly ScoredUnit[]): number[] {
  return terms.map((_, at) => {
    const matching = units.filter(({ best }) => (best[at] ?? 0) > 0).length
    return 1 + Math.log(1 + (units.length + 1) / (matching + 0.5)) / 2
  })
}

function score(unit: ScoredUnit, terms: readonly Term[], rarity: readonly number[]): number {
  const { inText, inHeading, inName, best, words, position, weight } = unit
  const sum = (values: readonly number[]) => rarity.reduce((total, rare, at) => total + rare * (values[at] ?? 0), 0)
  const maximum = sum(rarity.map(() => 1))
  const length = words.length < 4 ? 0.6 : words.length > 60 ? 0.8 : 1
  const base = sum(best) * length * weight * (1 + 0.4 * (sum(inName) / maximum))
  if (inText.some((value) => value > 0)) return base * (1 + 0.25 * countSharedPairs(terms, words))
  // A sentence need not repeat its heading. In a note whose name says it all, the opening sentences count most.
  if (inHeading.some((value) => value > 0)) return base * 0.8
  return sum(inName) >= 0.8 * maximum ? (base * 0.7) / (1 + 0.1 * position) : 0
}

function relevanceOf(terms: readonly Term[], evidence: number): Relevance {
  const isUnspaced = terms.some(({ text }) => hasUnspacedScript(text))
  const { part, full } = isUnspaced ? relevanceBounds.unspaced : relevanceBounds.spaced
  return evidence >= full ? 'full' : evidence >= part ? 'part' : 'none'
}

/** The best search score and the best share of the terms, added. */
function evidenceIn(terms: readonly Term[], sources: readonly QuotableText[], units: readonly ScoredUnit[]): number {
  const best = Math.max(0, ...sources.map(({ score = 0 }) => score))
  // A hit counts as a whole. Of a note that was read, only one sentence or property counts: a long note has all words.
  const hits = sources.filter(({ score }) => score !== undefined)
  const inHits = Math.max(0, ...hits.map((source) => shareIn(source, terms)))
  const inUnits = units.reduce((most, { best: found }) => Math.max(most, found.filter((each) => each > 0).length), 0)
  return best + Math.max(inHits, inUnits / Math.max(1, terms.length))
}

/** The share of the terms in a text and its names. */
function shareIn({ title, path = '', heading = '', text }: QuotableText, terms: readonly Term[]): number {
  const similarities = bestSimilarities(terms, wordsIn(`${title} ${path} ${heading} ${text}`))
  return similarities.filter((value) => value > 0).length / Math.max(1, terms.length)
}

/** The share of the terms that at least one of the passages contains. */
function coverageOf(chosen: readonly ScoredUnit[], terms: readonly Term[]): number {
  return terms.filter((_, at) => chosen.some(({ best }) => (best[at] ?? 0) > 0)).length / terms.length
}

function isNearDuplicate({ words }: ScoredUnit, other: ScoredUnit): boolean {
  const own = new Set(words)
  const others = new Set(other.words)
  const shared = [...own].filter((word) => others.has(word)).length
  return shared >= 0.75 * Math.min(own.size, others.size)
}

/** Passages of one note together, in the order of the note. */
function groupedByNote(chosen: readonly ScoredUnit[]): ScoredUnit[] {
  const notes = new Map<string, ScoredUnit[]>()
  for (const unit of chosen) {
    const key = unit.path ?? unit.title
    notes.set(key, [...(notes.get(key) ?? []), unit])
  }
  return [...notes.values()].flatMap((units) => units.sort((a, b) => a.order - b.order))
}

const asPassage = ({ path, title, heading, text, isProperty, items }: ScoredUnit): Passage => ({
  title,
  text,
  ...(items && { items }),
  ...(isProperty && { isProperty }),
  ...(path !== undefined && { path }),
  ...(heading !== undefined && { heading }),
})

/** A note with this share of the terms in its name is about the question. */
const minShareInName = 1 / 3

/**
 * The note that the quoted sections refer to for more, as their link names it: "for more, see [[Late Blight]]". Lines
 * that are nothing but a link are ignored: they are entries of a list.
 */
function noteToReadNext(
  terms: readonly Term[],
  quoted: readonly Passage[],
  sources: readonly QuotableText[],
): string | undefined {
  let found: { name: string; share: number } | undefined
  for (const { path, title, text, heading: first } of sources.filter(({ score }) => score !== undefined)) {
    const sections = quoted.filter((passage) => passage.path === path).map(({ heading }) => heading ?? title)
    if (sections.length === 0) continue
    const noteText = originalText(text)
    const note = scanNote(noteText)
    for (const link of note.links) {
      if (!sections.includes(headingAbove(link, note) ?? first ?? title)) continue
      if (!isInSentence(link, noteText, note)) continue
      const name = linkedName(link)
      const share = shareOfTermsIn(terms, `${name.slice(name.lastIndexOf('/') + 1)} ${link.display ?? ''}`)
      const isQuoted = quoted.some((passage) => passage.path !== undefined && mayLinkTo(passage.path, name))
      if (!isQuoted && share >= minShareInName && share > (found?.share ?? 0)) found = { name, share }
    }
  }
  return found?.name
}

const shareOfTermsIn = (terms: readonly Term[], name: string): number =>
  bestSimilarities(terms, wordsIn(name)).filter((value) => value > 0).length / terms.length

/** True if a link with this name may lead to the note at `path`. */
function mayLinkTo(path: string, name: string): boolean {
  const bare = (text: string) => `/${text.replace(/\.md$/i, '')}`.toLowerCase()
  return bare(path).endsWith(bare(name))
}

const headingAbove = ({ start }: NoteLink, { headings }: ScannedNote): string | undefined =>
  headings.filter((heading) => heading.start <= start).at(-1)?.text

/** True for a link with words beside it that is no comment, picture or address. */
function isInSentence({ kind, target, start, end, line }: NoteLink, text: string, note: ScannedNote): boolean {
  if (kind === 'external' || target === '' || /[[\]|#^]|\.(?!md$)\w{2,5}$/i.test(target)) return false
  if (note.regions.some((region) => region.start <= start && region.end >= end)) return false
  const links = note.links.filter((other) => other.line === line)
  const lineText = text.slice(note.lineStarts[line - 1], note.lineStarts[line])
  return /[\p{L}\p{N}]/u.test(links.reduce((words, { raw }) => words.replace(raw, ''), lineText))
}

/** The link's target without a leading relative path. */
const linkedName = ({ target }: NoteLink): string => target.replace(/^(?:\.{0,2}\/)+/, '')

/** The smallest part of a note that can be quoted: a sentence, a list item, a row of a table, a property. */
interface QuotableUnit {
  /** The text without markup. */
  text: string
  heading?: string
  /** A property is shown without quotation marks. */
  isProperty?: true
  /** Number of the list it is an item of, or introduces with a colon. */
  list?: number
  opensList?: true
}

const maxItemLength = 280
const shortSentenceLength = 25
const maxPieceLength = 1000

/**
 * Splits a note or a passage, as a tool showed it, into units. Code, formulas and comments are not quoted; a section of
 * nothing else is quoted by its heading.
 */
export function quotableUnits(shown: string, firstHeading?: string, isStart = false): QuotableUnit[] {
  const text = originalText(shown)
  const { headings, frontmatter, regions, lineStarts } = scanNote(text)
  const units: QuotableUnit[] =
    isStart && frontmatter ? propertiesIn(text.slice(frontmatter.yaml.start, frontmatter.yaml.end)) : []
  const headingAt = new Map(headings.map(({ line, text: title }) => [line - 1, title]))
  let heading = firstHeading
  let paragraph: ReadableLine[] = []
  /** The heading of a section without any unit so far, and where the section begins. */
  let openHeading: { words: string; from: number } | undefined

  /** The list that a paragraph continues, and how many there have been. */
  let list: number | undefined
  let lists = 0

  const add = (quotable: string, more: Pick<QuotableUnit, 'list'> = {}) => {
    if (!isReadable(quotable)) return
    units.push({ text: quotable, ...(heading !== undefined && { heading }), ...more })
    openHeading = undefined
  }
  const beginList = () => {
    list = lists++
    const last = units.at(-1)
    if (last === undefined || last.heading !== heading || !/[:：]$/.test(last.text) || last.list !== undefined) return
    last.list = list
    last.opensList = true
  }
  const endSection = (end: number) => {
    const { words, from } = openHeading ?? { words: '', from: end }
    if (regions.some(({ kind, start }) => blockRegions.has(kind) && start >= from && start < end)) add(words)
    openHeading = undefined
  }
  const endParagraph = () => {
    const joined = paragraph.map(({ words }) => words).join(' ')
    if (paragraph.length === 0) return
    const isItem = paragraph[0]?.kind === 'item'
    if (isItem && list === undefined) beginList()
    if (!isItem) list = undefined
    const isShortItem = isItem && joined.length <= maxItemLength
    for (const sentence of isShortItem ? [joined] : sentencesIn(joined)) {
      add(restoreSentenceEnds(sentence).trim(), list === undefined ? {} : { list })
    }
    paragraph = []
  }

  for (const [at, line] of readLines(text).entries()) {
    const { words, kind } = line
    const lineStart = lineStarts[at] ?? text.length
    if (words === '' || kind !== 'text') endParagraph()
    if (kind === 'heading') {
      endSection(lineStart)
      list = undefined
      heading = headingAt.get(at) ?? heading
      openHeading = { words, from: lineStart }
    } else if (kind === 'row' && words.length <= maxPieceLength) add(restoreSentenceEnds(words))
    else if (kind !== 'loose-row' && kind !== 'row' && words !== '') paragraph.push(line)
    if (kind === 'title') endParagraph()
  }
  endParagraph()
  endSection(text.length)
  return units
}

const blockRegions: ReadonlySet<string> = new Set<RegionKind>(['fence', 'indented-code', 'html'])

const markup = /[|`]|\*\*|~~|\[\[|\]\]|\]\(|%%|<\/?[a-z][^<>]*>|<!|&[a-z]+;|---/i

/** True for text with words and without left-over markup, which a passage cut in two may have. */
const isReadable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text) && !markup.test(text)

/** Properties with one plain value; lists and links are left out. */
function propertiesIn(yaml: string): QuotableUnit[] {
  const isPlain = (line: string) => /^[\p{L}_][\p{L}\p{N}_ -]*:\s+[^[{"'|>\s]/u.test(line) && isReadable(line)
  const lines = yaml.split(/\r?\n/).filter((line) => isPlain(line) && line.length <= maxItemLength)
  return lines.map((line) => ({ text: line.trim(), isProperty: true }))
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Very short sentences stay with the one after them: "Eggshells. They walk over them." */
function sentencesIn(text: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const { segment } of segmenter.segment(text)) {
    open += segment
    if (open.trim().length < shortSentenceLength && !/[。！？]\s*$/.test(open)) continue
    sentences.push(open)
    open = ''
  }
  if (open.trim() !== '') sentences.push(open)
  return sentences.flatMap(piecesOf)
}

/** Cuts a very long sentence into pieces. */
function piecesOf(sentence: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < sentence.length; ) {
    const limit = from + maxPieceLength
    const space = sentence.length <= limit ? sentence.length : sentence.lastIndexOf(' ', limit)
    const isHalf = /[\ud800-\udbff]/.test(sentence[limit - 1] ?? '')
    const end = space > from + maxPieceLength / 2 || sentence.length <= limit ? space : isHalf ? limit - 1 : limit
    pieces.push(sentence.slice(from, end))
    from = end
  }
  return pieces
}
