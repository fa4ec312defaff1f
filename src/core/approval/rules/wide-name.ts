import { foldCase } from '../../vault/index.js'
import { many, one, type Piece, spellPieces } from './pattern-steps.js'

/**
 * A name in its smallest parts: compatibility forms, marks and ligatures taken apart, case folded. Where a part does
 * not begin a character, the ones before it and it are one in some other spelling.
 */
export interface WideName {
  parts: readonly string[]
  begins: readonly boolean[]
}

export function wideName(name: string): WideName {
  const parts: string[] = []
  const begins: boolean[] = []
  for (const character of name.normalize('NFC').match(characters) ?? []) {
    const own = [...smallest(character)]
    parts.push(...own)
    begins.push(...own.map((_, at) => at === 0))
  }
  return { parts, begins }
}

/** Whether a name, or a path, has one spelling only, but for the case of its letters. */
export function isPlain(path: string): boolean {
  return /^[\x20-\x7e]*$/.test(path) && !/[. ](?:\/|$)/.test(path)
}

/** The pieces of a pattern in the same parts. */
export function widePieces(pieces: readonly Piece[]): Piece[] {
  return spellPieces(pieces, smallest)
}

/** The pieces for a name that is plain: what such a name never has is taken out. */
export function plainPieces(wide: readonly Piece[]): Piece[] {
  const pieces = wide.filter((piece) => typeof piece !== 'string' || !isUnseen(piece))
  return pieces.slice(0, untrimmed(pieces))
}

/** The name of a note as people say it; undefined for another file's. */
export function withoutNoteEnding({ parts, begins }: WideName): WideName | undefined {
  const seen = parts.flatMap((part, at) => (isUnseen(part) ? [] : [at]))
  while (seen.length > 0 && isTrimmed(parts[seen[seen.length - 1]])) seen.pop()
  const ending = seen.slice(-3)
  if (ending.map((at) => parts[at]).join('') !== '.md') return undefined
  return { parts: parts.slice(0, ending[0]), begins: begins.slice(0, ending[0]) }
}

/**
 * Whether pieces can mean a name. `?` means one part, or all parts of one character; characters that some file
 * systems do not see are there or not; so are dots and spaces at the end.
 *
 * All places in the pattern that can be reached are followed side by side, so the time is the product of the lengths.
 */
export function fitsWidely(pieces: readonly Piece[], { parts, begins }: WideName): boolean {
  const end = trimmedEnd(parts)
  let places = reach(pieces, new Set([0]))
  let inside = new Set<number>()
  for (let at = 0; at < parts.length; at++) {
    if (at >= end && isDone(pieces, places)) return true
    const [next, nextInside] = [new Set<number>(), new Set<number>()]
    for (const place of places) {
      const piece = pieces[place]
      if (piece === many) next.add(place)
      else if (piece === one) {
        next.add(place + 1)
        nextInside.add(place)
      } else if (piece === parts[at]) next.add(place + 1)
      if (isUnseen(parts[at])) next.add(place)
    }
    if (!begins[at]) {
      for (const place of inside) {
        next.add(place + 1)
        nextInside.add(place)
      }
    }
    if (next.size === 0) return false
    places = reach(pieces, next)
    inside = nextInside
  }
  return isDone(pieces, places)
}

// What is one character composed: letters of Hangul and halfwidth voicing marks join what stands before them, too.
const joining = '\\p{M}\\p{Default_Ignorable_Code_Point}\\u1160-\\u11ff\\uff9e\\uff9f'
const characters = new RegExp(`[^${joining}]?[${joining}]+|.`, 'gsu')
const unseen = /^\p{Default_Ignorable_Code_Point}$/u

function smallest(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase()
  return foldCase(text.normalize('NFKD')).normalize('NFKD')
}

const isUnseen = (part: string) => part > '\x7f' && unseen.test(part)
const isTrimmed = (part: string) => part === '.' || part === ' '

/** Where the dots and spaces at the end begin. */
function trimmedEnd(parts: readonly string[]): number {
  let end = parts.length
  while (end > 0 && (isTrimmed(parts[end - 1]) || isUnseen(parts[end - 1]))) end--
  return end
}

/** Where the dots and spaces at the end of a pattern begin. */
function untrimmed(pieces: readonly Piece[]): number {
  let end = pieces.length
  while (end > 0 && canBeTrimmed(pieces[end - 1])) end--
  return end
}

/** Adds the places that are reached without a part of the name. */
function reach(pieces: readonly Piece[], places: Set<number>): Set<number> {
  // A set shows what is added while it is gone through.
  for (const place of places) {
    const piece = pieces[place]
    if (piece === many || (typeof piece === 'string' && isUnseen(piece))) places.add(place + 1)
  }
  return places
}

function isDone(pieces: readonly Piece[], places: Set<number>): boolean {
  const end = untrimmed(pieces)
  for (const place of places) if (place >= end) return true
  return false
}

const canBeTrimmed = (piece: Piece) => typeof piece === 'string' && (isTrimmed(piece) || isUnseen(piece))
