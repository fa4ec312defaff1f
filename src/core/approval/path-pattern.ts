import { foldCase } from '../vault/index.js'

// `!` is used on characters, items and parts before the end that the loop or condition checks, and on the last of lists
// that are never empty.

/**
 * `wide`, for deny and ask: matches if any spelling of the pattern matches any spelling of the path; a bare name
 * matches at any depth. `exact`, for allow: must match literally and in every spelling.
 */
export type Strictness = 'exact' | 'wide'

/**
 * Compiles a path pattern relative to the vault: `*` and `?` match within a name, `**` across folders, `\` escapes. A
 * last name without wildcards also matches everything below it, unless it ends with `.md`.
 */
export function pathPattern(pattern: string, strictness: Strictness): (path: string) => boolean {
  return strictness === 'wide' ? widePattern(pattern) : exactPattern(pattern)
}

/** Escapes a path for use as a pattern. */
export function literalPattern(path: string): string {
  return path.replace(/[*?\\]/g, '\\$&')
}

/**
 * For allow rules: the path must match literally, and also when pattern and path are normalized as some file system
 * would. `Diary?` does not match `Diary.`, which is `Diary` on Windows.
 */
function exactPattern(pattern: string): (path: string) => boolean {
  const plain = completed(readSteps(pattern), pattern)
  let spelled: Step[][][] | undefined
  return (path) => {
    const names = path.split('/')
    if (!anyFitsExactly(plain, names)) return false
    if (isPlain(path)) return true
    spelled ??= allSpellings().map((spelling) => plain.map((steps) => steps.map((step) => spellStep(step, spelling))))
    return spelled.every((patterns, at) =>
      anyFitsExactly(
        patterns,
        names.map((name) => spellName(name, allSpellings()[at]!)),
      ),
    )
  }
}

const anyFitsExactly = (patterns: readonly Step[][], names: string[]) =>
  patterns.some((steps) => fitsSteps(steps, names, fitsName))

/** The pattern itself, and the pattern for everything below it if it may name a folder. */
function completed(steps: Step[], pattern: string): Step[][] {
  const last = steps[steps.length - 1]!
  // A trailing `**` matches everything below the folder, not the folder itself.
  if (last === deep) return [[...steps, [many]]]
  const isFolderToo = last.every((piece) => typeof piece === 'string') && !/\.md$/i.test(pattern)
  return isFolderToo ? [steps, [...steps, deep, [many]]] : [steps]
}

interface Spelling {
  letters: (text: string) => string
  /** Drop trailing dots and spaces. */
  isTrimmed: boolean
}

const same = (text: string) => text
const lower = (text: string) => [...text].map((letter) => letter.toLowerCase()).join('')
const seen = (text: string) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')

/** All combinations of case folding, Unicode form, invisible characters and trailing dots that file systems use. */
function allSpellings(): readonly Spelling[] {
  if (spellings !== undefined) return spellings
  const forms = [same, ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => (text: string) => text.normalize(form))]
  spellings = [same, lower, foldCase].flatMap((foldLetters) =>
    forms.flatMap((form) =>
      [same, seen].flatMap((keep) =>
        [false, true].map((isTrimmed) => ({
          letters: (text: string) => form(foldLetters(form(keep(text)))),
          isTrimmed,
        })),
      ),
    ),
  )
  return spellings
}

let spellings: readonly Spelling[] | undefined

function spellName(name: string, { letters, isTrimmed }: Spelling): string {
  return isTrimmed ? letters(name).replace(/[. ]+$/, '') : letters(name)
}

function spellStep(step: Step, { letters, isTrimmed }: Spelling): Step {
  if (step === deep) return step
  const pieces = spellPieces(step, letters)
  while (isTrimmed && (pieces[pieces.length - 1] === '.' || pieces[pieces.length - 1] === ' ')) pieces.pop()
  return pieces
}

/** For deny and ask rules: matches if some spelling of the pattern matches some spelling of the path, name by name. */
function widePattern(pattern: string): (path: string) => boolean {
  const patterns = [...readings(pattern)].flatMap(stepsOf)
  const isMeant = (path: string) => (isPlain(path) ? meansPlainly(patterns, path) : meansWidely(patterns, path))
  return (path) => {
    if (isMeant(path)) return true
    // A pattern without `.md` also matches the note of that name.
    return isPlain(path) && /\.md$/i.test(path) && isMeant(path.slice(0, -3))
  }
}

/** Fast path for plain paths, which are most of them. */
function meansPlainly(patterns: readonly WideSteps[], path: string): boolean {
  const names = path.toLowerCase().split('/')
  return patterns.some((steps) => fitsSteps(steps, names, ({ plain }, name) => fitsName(plain, name)))
}

function meansWidely(patterns: readonly WideSteps[], path: string): boolean {
  for (const read of readings(path)) {
    const names = read.split('/').map((written): NameToFit => ({ written, wide: wideName(written) }))
    const last = names[names.length - 1]!
    const bare = withoutNoteEnding(last.wide)
    if (anyFitsWidely(patterns, names)) return true
    if (bare === undefined) continue
    const written = last.written.replace(/\.md$/i, '')
    if (anyFitsWidely(patterns, [...names.slice(0, -1), { written, wide: bare }])) return true
  }
  return false
}

const anyFitsWidely = (patterns: readonly WideSteps[], names: NameToFit[]) =>
  patterns.some((steps) => fitsSteps(steps, names, fitsOneWidely))

/** The text itself, its NFKC form (`／` for `/`), and that without invisible characters. */
function readings(text: string): Iterable<string> {
  if (/^\p{ASCII}*$/u.test(text)) return [text]
  const plain = text.normalize('NFKC')
  return new Set([text, plain, plain.replace(/\p{Default_Ignorable_Code_Point}/gu, '')])
}

interface WideStep {
  written: readonly Piece[]
  wide: readonly Piece[]
  plain: readonly Piece[]
}
type WideSteps = (typeof deep | WideStep)[]

function stepsOf(pattern: string): WideSteps[] {
  const steps = readSteps(pattern).map(wideStep)
  // A bare name matches at any depth.
  if (steps.length === 1) steps.unshift(deep)
  const below: WideSteps = [...steps, deep, wideStep([many])]
  // A trailing `**` matches everything below the folder, not the folder itself.
  if (steps[steps.length - 1] === deep) return [below]
  return /\.md$/i.test(pattern) ? [steps] : [steps, below]
}

function wideStep(step: Step): typeof deep | WideStep {
  if (step === deep) return deep
  const wide = widePieces(step)
  return { written: step, wide, plain: plainPieces(wide) }
}

interface NameToFit {
  written: string
  wide: WideName
}

// Also compared literally, since the wide form loses the order of combining marks.
const fitsOneWidely = ({ written, wide }: WideStep, name: NameToFit): boolean =>
  fitsWidely(wide, name.wide) || fitsName(written, name.written)

/**
 * A name decomposed (NFKD) and case-folded. `begins` is false for parts that join the part before them in a composed
 * spelling.
 */
interface WideName {
  parts: readonly string[]
  begins: readonly boolean[]
}

function wideName(name: string): WideName {
  const parts: string[] = []
  const begins: boolean[] = []
  for (const character of name.normalize('NFC').match(characters) ?? []) {
    const own = [...smallest(character)]
    parts.push(...own)
    begins.push(...own.map((_, at) => at === 0))
  }
  return { parts, begins }
}

/** True if a path has only one spelling, apart from case. */
function isPlain(path: string): boolean {
  return /^[\x20-\x7e]*$/.test(path) && !/[. ](?:\/|$)/.test(path)
}

/** The pattern pieces, decomposed in the same way. */
function widePieces(pieces: readonly Piece[]): Piece[] {
  return spellPieces(pieces, smallest)
}

/** The pieces for matching a plain name: without characters a plain name never has. */
function plainPieces(wide: readonly Piece[]): Piece[] {
  const pieces = wide.filter((piece) => typeof piece !== 'string' || !isUnseen(piece))
  return pieces.slice(0, untrimmed(pieces))
}

/** The name without `.md`; undefined for other files. */
function withoutNoteEnding({ parts, begins }: WideName): WideName | undefined {
  const seen = parts.flatMap((part, at) => (isUnseen(part) ? [] : [at]))
  while (seen.length > 0 && isTrimmed(parts[seen[seen.length - 1]!]!)) seen.pop()
  const ending = seen.slice(-3)
  if (ending.map((at) => parts[at]).join('') !== '.md') return undefined
  return { parts: parts.slice(0, ending[0]), begins: begins.slice(0, ending[0]) }
}

/**
 * Whether pieces match a name. `?` matches one part or all parts of one character. Invisible characters and trailing
 * dots and spaces are optional. All reachable positions in the pattern are tracked at once, so the time is at most the
 * product of the lengths.
 */
function fitsWidely(pieces: readonly Piece[], { parts, begins }: WideName): boolean {
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
      if (isUnseen(parts[at]!)) next.add(place)
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

// Characters that compose with the one before: marks, Hangul vowels and finals, halfwidth voicing marks.
const joining = '\\p{M}\\p{Default_Ignorable_Code_Point}\\u1160-\\u11ff\\uff9e\\uff9f'
const characters = new RegExp(`[^${joining}]?[${joining}]+|.`, 'gsu')
const unseen = /^\p{Default_Ignorable_Code_Point}$/u

function smallest(text: string): string {
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase()
  return foldCase(text.normalize('NFKD')).normalize('NFKD')
}

const isUnseen = (part: string) => part > '\x7f' && unseen.test(part)
const isTrimmed = (part: string) => part === '.' || part === ' '

/** Index of the first trailing dot or space. */
function trimmedEnd(parts: readonly string[]): number {
  let end = parts.length
  while (end > 0 && (isTrimmed(parts[end - 1]!) || isUnseen(parts[end - 1]!))) end--
  return end
}

/** Index of the first trailing dot or space of a pattern. */
function untrimmed(pieces: readonly Piece[]): number {
  let end = pieces.length
  while (end > 0 && canBeTrimmed(pieces[end - 1]!)) end--
  return end
}

/** Adds the positions reachable without consuming a part of the name. */
function reach(pieces: readonly Piece[], places: Set<number>): Set<number> {
  // Iterating a set also visits elements added during iteration.
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

/** `**` */
const deep = 'deep'
/** `*` */
const many = Symbol('many')
/** `?` */
const one = Symbol('one')

type Piece = string | typeof many | typeof one
/** One path segment of a pattern. */
type Step = typeof deep | Piece[]

function readSteps(pattern: string): Step[] {
  return pattern.replace(/\/+$/, '/**').split('/').map(readStep)
}

function readStep(name: string): Step {
  if (name === '**') return deep
  const pieces: Piece[] = []
  const characters = [...name]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '\\' && at + 1 < characters.length) pieces.push(characters[++at]!)
    else if (character === '?') pieces.push(one)
    else if (character !== '*') pieces.push(character)
    else if (pieces[pieces.length - 1] !== many) pieces.push(many)
  }
  return pieces
}

/** The pieces of a name with its letters, as runs, spelled otherwise. */
function spellPieces(pieces: readonly Piece[], spell: (letters: string) => string): Piece[] {
  const spelled: Piece[] = []
  let letters = ''
  const flush = () => {
    spelled.push(...spell(letters))
    letters = ''
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') letters += piece
    else {
      flush()
      spelled.push(piece)
    }
  }
  flush()
  return spelled
}

/** Matches pattern segments against path segments. */
function fitsSteps<S, N>(
  steps: readonly (typeof deep | S)[],
  names: readonly N[],
  fits: (step: S, name: N) => boolean,
): boolean {
  return matchesAll(steps, names, isDeep, (step, name) => step !== deep && fits(step, name))
}

/** Matches pattern pieces against a name, literally. */
function fitsName(pieces: readonly Piece[], name: string): boolean {
  return matchesAll(pieces, isAscii(name) ? name : [...name], isMany, fitsOne)
}

const isDeep = (step: unknown) => step === deep
const isMany = (piece: Piece) => piece === many
const fitsOne = (piece: Piece, character: string) => piece === one || piece === character
const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text)

/** Wildcard matching. Backtracks to the last wildcard only, so the time is at most the product of the lengths. */
function matchesAll<P, T>(
  pattern: readonly P[],
  items: ArrayLike<T>,
  isWild: (piece: P) => boolean,
  matchesOne: (piece: P, item: T) => boolean,
): boolean {
  let [at, item, wild, resume] = [0, 0, -1, 0]
  while (item < items.length) {
    if (at < pattern.length && isWild(pattern[at]!)) {
      wild = at++
      resume = item
    } else if (at < pattern.length && matchesOne(pattern[at]!, items[item]!)) {
      at++
      item++
    } else if (wild >= 0) {
      at = wild + 1
      item = ++resume
    } else return false
  }
  while (at < pattern.length && isWild(pattern[at]!)) at++
  return at === pattern.length
}
