import type { Marker } from '../dialect.js'

/** The longest run of attributes a tag may carry. */
const attributesLimit = 200

export interface MarkerMatch<Owner> {
  marker: Marker
  owner: Owner
  length: number
}

export interface MarkerTable<Owner> {
  /** Finds the next place that needs a look: the first character of a marker, a backtick, a tilde. Has the flag `g`. */
  stops: RegExp
  /** Where a word marker may be beginning at the end of the text, else the text's length. */
  halfWord(text: string, from: number): number
  /** The markers here; `unsure` when more text could make one. */
  match(text: string, at: number): { matches: MarkerMatch<Owner>[]; unsure: boolean }
}

interface Entry<Owner> {
  marker: Marker
  owner: Owner
  text: string
}

/** Finds many markers at once. Earlier entries come first among those that match. */
export function markerTable<Owner>(entries: readonly { marker: Marker; owner: Owner }[]): MarkerTable<Owner> {
  const byFirst = new Map<number, Entry<Owner>[]>()
  const seconds = new Map<number, Set<number>>()
  const singles = new Set<number>()
  const words = new Set<string>()
  for (const { marker, owner } of entries) {
    const text = marker.tag ? marker.text.toLowerCase() : marker.text
    const first = text.charCodeAt(0)
    byFirst.set(first, [...(byFirst.get(first) ?? []), { marker, owner, text }])
    const second = seconds.get(first) ?? new Set()
    const next = text.length > 1 ? text[1] : (marker.next ?? '')
    for (const character of next + next.toUpperCase()) second.add(character.charCodeAt(0))
    seconds.set(first, second)
    if (next === '') singles.add(first)
    if (/\w/.test(text[0])) words.add(text)
  }
  // Two characters are enough to dismiss almost everything.
  const isText = (text: string, at: number): boolean => {
    const first = text.charCodeAt(at)
    return at + 1 < text.length && !singles.has(first) && !seconds.get(first)?.has(text.charCodeAt(at + 1))
  }
  const wordList = [...words]
  const wordStarts = wordList.map((word) => word.charCodeAt(0))
  const longest = Math.max(0, ...wordList.map((word) => word.length))
  const firsts = [...byFirst.keys()].map((code) => String.fromCharCode(code)).filter((text) => !/\w/.test(text))
  const classes = [...new Set([...firsts, '`', '~'])].map(escaped).join('')
  const stops = new RegExp([`[${classes}]`, ...[...words].map(escaped)].join('|'), 'g')
  return {
    stops,
    halfWord(text, from) {
      for (let start = Math.max(from, text.length - longest + 1); start < text.length; start++) {
        const code = text.charCodeAt(start)
        for (let index = 0; index < wordList.length; index++) {
          if (code === wordStarts[index] && wordList[index].startsWith(text.slice(start))) return start
        }
      }
      return text.length
    },
    match(text, at) {
      if (isText(text, at)) return nothing
      const candidates = byFirst.get(text.charCodeAt(at)) ?? []
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

const nothing = { matches: [], unsure: false }

/** The length of the marker at this place, 0 when it is not there, -1 when the text ends too soon to know. */
function plainLength(text: string, at: number, wanted: string, next?: string): number {
  if (text.startsWith(wanted, at)) {
    const behind = at + wanted.length
    if (next === undefined) return wanted.length
    return behind === text.length ? -1 : next.includes(text[behind]) ? wanted.length : 0
  }
  return text.length - at < wanted.length && wanted.startsWith(text.slice(at)) ? -1 : 0
}

/** The same for a tag up to its `>`, whatever the case, with or without attributes. */
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
  if (!/\s/.test(text[behind])) return 0
  for (let end = behind; end < text.length; end++) {
    if (text[end] === '>') return end + 1 - at
    if (text[end] === '<' || end - behind > attributesLimit) return 0
  }
  return -1
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
