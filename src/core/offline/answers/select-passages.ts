import { isUnspaced, nearest, pairsAmong, type Term, wordsIn } from '../words/terms.js'
import { isNamed, onwardNote } from './onward-note.js'
import { quotableUnits, type Unit } from './quotable-units.js'
import type { Source } from './sources.js'

export interface Passage {
  path?: string
  title: string
  heading?: string
  text: string
  isProperty?: true
}

export interface Selection {
  /** Best note first; within a note in the order they stand there. */
  passages: Passage[]
  /** The note of the best passage, or the best hit when nothing fits. */
  best?: string
  /** How much of what was asked for the passages speak of, 0 to 1. */
  coverage: number
  /** The best hits of which nothing could be quoted. */
  silent: string[]
  /** The note to which the passages say to read on, while it has not been read. */
  onward?: string
}

const mostPassages = 6
const mostPerNote = 3
/** So many of the best hits are each quoted at least once: a search knows more of a note than its best sentence says. */
const surelyQuoted = 4
/** But not one in which the search found so much less than in the best. */
const shareOfBestHit = 0.5
/** Passages far behind the best only distract. */
const shareOfBest = 0.5
/** Below this the notes do not speak of what was asked for. */
const leastCoverage = 0.5
/** Of the pairs of characters in an unspaced script many straddle two words, and meet nothing. */
const leastCoverageOfPairs = 1 / 3
const mostUnits = 5000

interface Scored extends Passage {
  /** Place among all units, and in its own source. */
  order: number
  place: number
  words: string[]
  /** For each term how well it is met: by the text itself, by its heading, by the name of its note, by the best of them. */
  own: number[]
  above: number[]
  named: number[]
  all: number[]
  score: number
  weight: number
}

/** The sentences that speak most of what was asked for, without repeating each other. */
export function selectPassages(terms: readonly Term[], given: readonly Source[]): Selection {
  const sources = given.filter(({ isFollowed }) => !isFollowed)
  const units = unitsOf(terms, sources)
  const rarity = rarities(terms, units)
  for (const unit of units) unit.score = score(unit, terms, rarity)
  const ranked = units.filter((unit) => unit.score > 0).sort((a, b) => b.score - a.score || a.order - b.order)
  const top = ranked[0]
  const hit = sources.find(({ path }) => path !== undefined)?.path
  if (top === undefined) return { passages: [], ...(hit && { best: hit }), coverage: 0, silent: bestHits(sources) }

  const hits = bestHits(sources)
  const chosen = firstOfEach(ranked, hits)
  const silent = hits.filter((path) => !ranked.some((unit) => unit.path === path))
  if (covered(chosen, terms) < 1) chosen.push(...silent.flatMap((path) => openingOf(path, sources, units)))
  const onward = onwardNote(terms, chosen, sources)
  const linked = given.filter(({ path, isFollowed }) => isFollowed || (onward && path && isNamed(path, onward)))
  chosen.push(...bestOf(unitsOf(terms, linked), chosen, (unit) => score(unit, terms, rarity)))
  for (const unit of ranked) {
    if (chosen.length >= mostPassages || unit.score < top.score * shareOfBest) break
    const isFull = chosen.filter(({ path, title }) => path === unit.path && title === unit.title).length === mostPerNote
    if (!isFull && !chosen.some((other) => isNearDuplicate(unit, other))) chosen.push(unit)
  }
  const best = top.path ?? hit
  const coverage = covered(chosen, terms)
  const least = terms.some(({ text }) => isUnspaced(text)) ? leastCoverageOfPairs : leastCoverage
  const passages = coverage < least ? [] : grouped(chosen).map(asPassage)
  const isUnread = passages.length > 0 && linked.length === 0
  return { passages, ...(best && { best }), coverage, silent, ...(isUnread && onward && { onward }) }
}

/** The sentence that speaks most of it, or the first where none does, if nothing chosen says the same. */
function bestOf(units: readonly Scored[], chosen: readonly Scored[], scoreOf: (unit: Scored) => number): Scored[] {
  const sentences = units.filter(({ isProperty }) => !isProperty).map((unit) => ({ ...unit, score: scoreOf(unit) }))
  const [best] = sentences.sort((a, b) => b.score - a.score)
  return best === undefined || chosen.some((other) => isNearDuplicate(best, other)) ? [] : [best]
}

function bestHits(sources: readonly Source[]): string[] {
  const best = Math.max(...sources.map(({ score = 0 }) => score))
  const inOrder = sources
    .filter(({ path, score = best }) => path !== undefined && score >= best * shareOfBestHit)
    .sort((a, b) => b.weight - a.weight)
  return [...new Set(inOrder.map(({ path }) => path!))].slice(0, surelyQuoted)
}

/** The best sentence of each of these notes, in their order. */
function firstOfEach(ranked: readonly Scored[], paths: readonly string[]): Scored[] {
  const chosen: Scored[] = []
  for (const wanted of paths) {
    const own = ranked.find((unit) => unit.path === wanted && !chosen.some((other) => isNearDuplicate(unit, other)))
    if (own !== undefined) chosen.push(own)
  }
  return chosen
}

/** What a hit begins with in which none of the words stands: the search found it by its meaning. */
function openingOf(path: string, sources: readonly Source[], units: readonly Scored[]): Scored[] {
  const found = sources.find((source) => source.path === path && source.score !== undefined)
  const first = found === undefined ? undefined : quotableUnits(found.text, found.heading)[0]
  return units.filter((unit) => unit.path === path && unit.text === first?.text)
}

function unitsOf(terms: readonly Term[], sources: readonly Source[]): Scored[] {
  const seen = new Set<string>()
  const units: Scored[] = []
  for (const { path, title, heading: first, text, isStart, weight } of sources) {
    const name = wordsIn(`${title} ${path ?? ''}`)
    const named = nearest(terms, name)
    const byHeading = new Map<string | undefined, number[]>([[undefined, terms.map(() => 0)]])
    for (const [place, unit] of quotableUnits(text, first, isStart).entries()) {
      const key = `${path ?? title}\n${unit.text}`
      if (seen.has(key) || units.length >= mostUnits || (unit.isProperty && isName(unit, name))) continue
      seen.add(key)
      const heading = unit.heading === title ? undefined : unit.heading
      if (!byHeading.has(heading)) byHeading.set(heading, nearest(terms, wordsIn(heading ?? '')))
      const above = byHeading.get(heading)!
      const words = wordsIn(unit.text)
      const own = nearest(terms, words)
      const all = own.map((value, at) => Math.max(value, 0.6 * above[at], 0.5 * named[at]))
      const { isProperty } = unit
      const about = {
        title,
        text: unit.text,
        ...(isProperty && { isProperty }),
        ...(path !== undefined && { path }),
        ...(heading && { heading }),
      }
      units.push({ ...about, order: units.length, place, words, own, above, named, all, score: 0, weight })
    }
  }
  return units
}

/** A property that holds the name of its note once more: its title, its address. */
function isName({ text }: Unit, name: readonly string[]): boolean {
  const value = wordsIn(text.slice(text.indexOf(':') + 1))
  return value.length > 0 && value.every((word) => name.includes(word))
}

/** A word that stands everywhere tells little; one that stands nowhere is what is missing. */
function rarities(terms: readonly Term[], units: readonly Scored[]): number[] {
  return terms.map((_, at) => {
    const holding = units.filter(({ all }) => all[at] > 0).length
    return 1 + Math.log(1 + (units.length + 1) / (holding + 0.5)) / 2
  })
}

function score(unit: Scored, terms: readonly Term[], rarity: readonly number[]): number {
  const { own, above, named, all, words, place, weight } = unit
  const sum = (values: readonly number[]) => rarity.reduce((total, rare, at) => total + rare * values[at], 0)
  const whole = sum(rarity.map(() => 1))
  const length = words.length < 4 ? 0.6 : words.length > 60 ? 0.8 : 1
  const base = sum(all) * length * weight * (1 + 0.4 * (sum(named) / whole))
  if (own.some((value) => value > 0)) return base * (1 + 0.25 * pairsAmong(terms, words))
  // Under a heading that says it, a sentence need not say it again. In a note that is about nothing else, what it
  // begins with says most.
  if (above.some((value) => value > 0)) return base * 0.8
  return sum(named) >= 0.8 * whole ? (base * 0.7) / (1 + 0.1 * place) : 0
}

/** The share of the terms that at least one of the passages meets. */
function covered(chosen: readonly Scored[], terms: readonly Term[]): number {
  return terms.filter((_, at) => chosen.some(({ all }) => all[at] > 0)).length / terms.length
}

function isNearDuplicate({ words }: Scored, other: Scored): boolean {
  const own = new Set(words)
  const others = new Set(other.words)
  const shared = [...own].filter((word) => others.has(word)).length
  return shared >= 0.75 * Math.min(own.size, others.size)
}

/** Together what stands together. */
function grouped(chosen: readonly Scored[]): Scored[] {
  const notes = new Map<string, Scored[]>()
  for (const unit of chosen) {
    const key = unit.path ?? unit.title
    notes.set(key, [...(notes.get(key) ?? []), unit])
  }
  return [...notes.values()].flatMap((units) => units.sort((a, b) => a.order - b.order))
}

const asPassage = ({ path, title, heading, text, isProperty }: Scored): Passage => ({
  title,
  text,
  ...(isProperty && { isProperty }),
  ...(path !== undefined && { path }),
  ...(heading !== undefined && { heading }),
})
