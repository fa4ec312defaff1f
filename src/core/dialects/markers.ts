// Finds markers in text as it arrives, many at once.

import type { Marker } from './dialect.js'

/** Maximum length of a tag's attributes. */
const attributesLimit = 200

export interface MarkerMatch<Owner> {
  marker: Marker
  owner: Owner
  length: number
}

export interface MarkerTable<Owner> {
  /** Finds the next position to check: the first character of a marker, a backtick, a tilde. Has the flag `g`. */
  stops: RegExp
  /** The position where a word marker may begin at the end of the text, else the text's length. */
  halfWord(text: string, from: number): number
  /** The markers at this position; `unsure` if more text could complete one. */
  match(text: string, at: number): { matches: MarkerMatch<Owner>[]; unsure: boolean }
}

interface Entry<Owner> {
  marker: Marker
  owner: Owner
  text: string
}

/** Finds many markers at once. Earlier entries come first among the matches. */
export function markerTable<Owner>(entries: readonly { marker: Marker; owner: Owner }[]): MarkerTable<Owner> {
  const all: Entry<Owner>[] = entries.map(({ marker, owner }) => ({
    marker,
    owner,
    text: marker.tag ? marker.text.toLowerCase() : marker.text,
  }))
  const byFirst = new Map<number, Pairs<Owner>>()
  for (const { text } of all) {
    const first = text.charCodeAt(0)
    if (!byFirst.has(first)) byFirst.set(first, pairsOf(all.filter((entry) => entry.text.charCodeAt(0) === first)))
  }
  const wordList = [...new Set(all.map(({ text }) => text).filter((text) => wordStart.test(text)))]
  const wordStarts = new Uint8Array(128)
  for (const word of wordList) wordStarts[word.charCodeAt(0) & 127] = 1
  const longest = Math.max(0, ...wordList.map((word) => word.length))
  const firsts = [...byFirst.keys()].map((code) => String.fromCharCode(code)).filter((text) => !wordStart.test(text))
  const classes = [...new Set([...firsts, '`', '~'])].map(escapeForClass).join('')
  const stops = new RegExp([`[${classes}]`, ...wordList.map(escapeForClass)].join('|'), 'g')
  return {
    stops,
    halfWord(text, from) {
      for (let start = Math.max(from, text.length - longest + 1); start < text.length; start++) {
        // Most letters begin no word.
        if (wordStarts[text.charCodeAt(start) & 127] === 0) continue
        for (const word of wordList) if (endsIn(text, start, word)) return start
      }
      return text.length
    },
    match(text, at) {
      const pairs = byFirst.get(text.charCodeAt(at))
      // Two characters rule out almost everything.
      const candidates =
        pairs && (at + 1 < text.length ? (pairs.bySecond.get(text.charCodeAt(at + 1)) ?? pairs.others) : pairs.all)
      if (candidates === undefined || candidates.length === 0) return noMatches
      const matches: MarkerMatch<Owner>[] = []
      let unsure = false
      for (const { marker, owner, text: wanted } of candidates) {
        const length = marker.tag ? tagLength(text, at, wanted) : plainLength(text, at, wanted, marker.next)
        if (length > 0) matches.push({ marker, owner, length })
        else if (length < 0) unsure = true
      }
      return { matches, unsure }
    },
  }
}

/** Markers that begin with a letter, or with a character common in text, are searched for as a whole. */
const wordStart = /^[\w\]]/

/** True if the text, from there on, ends in the beginning of the word. */
function endsIn(text: string, start: number, word: string): boolean {
  for (let at = start; at < text.length; at++) if (text.charCodeAt(at) !== word.charCodeAt(at - start)) return false
  return true
}

/** Entries with the same first character, by their second one. */
interface Pairs<Owner> {
  all: Entry<Owner>[]
  bySecond: Map<number, Entry<Owner>[]>
  /** Entries that any character may follow. */
  others: Entry<Owner>[]
}

function pairsOf<Owner>(all: Entry<Owner>[]): Pairs<Owner> {
  const secondsOf = ({ text, marker }: Entry<Owner>): string => {
    const next = text.length > 1 ? text.charAt(1) : (marker.next ?? '')
    return marker.tag ? next + next.toUpperCase() : next
  }
  const seconds = new Set(all.flatMap((entry) => [...secondsOf(entry)]))
  const others = all.filter((entry) => secondsOf(entry) === '')
  const bySecond = [...seconds].map((second): [number, Entry<Owner>[]] => [
    second.charCodeAt(0),
    all.filter((entry) => secondsOf(entry).includes(second) || others.includes(entry)),
  ])
  return { all, bySecond: new Map(bySecond), others }
}

const noMatches = { matches: [], unsure: false }

/** The length of the marker here, 0 if it is not here, -1 if the text ends too soon to know. */
function plainLength(text: string, at: number, wanted: string, next?: string): number {
  if (text.startsWith(wanted, at)) {
    const behind = at + wanted.length
    if (next === undefined) return wanted.length
    return behind === text.length ? -1 : next.includes(text.charAt(behind)) ? wanted.length : 0
  }
  return text.length - at < wanted.length && wanted.startsWith(text.slice(at)) ? -1 : 0
}

/** The same for a tag up to its `>`, in any case, with or without attributes. */
function tagLength(text: string, at: number, wanted: string): number {
  const length = Math.min(wanted.length, text.length - at)
  for (let index = 1; index < length; index++) {
    const code = text.charCodeAt(at + index)
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== wanted.charCodeAt(index)) return 0
  }
  if (length < wanted.length) return -1
  const behind = at + wanted.length
  if (behind === text.length) return -1
  if (text[behind] === '>') return wanted.length + 1
  if (!/\s/.test(text.charAt(behind))) return 0
  for (let end = behind; end < text.length; end++) {
    if (text[end] === '>') return end + 1 - at
    if (text[end] === '<' || end - behind > attributesLimit) return 0
  }
  return -1
}

const escapeForClass = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
