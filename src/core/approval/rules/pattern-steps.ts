/** Through any number of folders: `**`. */
export const deep = 'deep'
/** Any number of characters of a name: `*`. */
export const many = Symbol('many')
/** One character of a name: `?`. */
export const one = Symbol('one')

export type Piece = string | typeof many | typeof one
/** What stands between two slashes of a pattern. */
export type Step = typeof deep | Piece[]

export function readSteps(pattern: string): Step[] {
  return pattern.replace(/\/+$/, '/**').split('/').map(readStep)
}

function readStep(name: string): Step {
  if (name === '**') return deep
  const pieces: Piece[] = []
  const characters = [...name]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]
    if (character === '\\' && at + 1 < characters.length) pieces.push(characters[++at])
    else if (character === '?') pieces.push(one)
    else if (character !== '*') pieces.push(character)
    else if (pieces[pieces.length - 1] !== many) pieces.push(many)
  }
  return pieces
}

/** The pieces of a name with its letters, as runs, spelled otherwise. */
export function spellPieces(pieces: readonly Piece[], spell: (letters: string) => string): Piece[] {
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

/** Whether steps lead to a path of these names, each step but `**` by one name. */
export function fitsSteps<S, N>(
  steps: readonly (typeof deep | S)[],
  names: readonly N[],
  fits: (step: S, name: N) => boolean,
): boolean {
  return matchesAll(steps, names, isDeep, (step, name) => step !== deep && fits(step, name))
}

/** Whether pieces make up a name, to the letter. */
export function fitsName(pieces: readonly Piece[], name: string): boolean {
  return matchesAll(pieces, isAscii(name) ? name : [...name], isMany, fitsOne)
}

const isDeep = (step: unknown) => step === deep
const isMany = (piece: Piece) => piece === many
const fitsOne = (piece: Piece, character: string) => piece === one || piece === character
const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text)

/** Goes back to the last wildcard only, so that no pattern takes longer than the product of the lengths. */
function matchesAll<P, T>(
  pattern: readonly P[],
  items: ArrayLike<T>,
  isWild: (piece: P) => boolean,
  matchesOne: (piece: P, item: T) => boolean,
): boolean {
  let [at, item, wild, resume] = [0, 0, -1, 0]
  while (item < items.length) {
    if (at < pattern.length && isWild(pattern[at])) {
      wild = at++
      resume = item
    } else if (at < pattern.length && matchesOne(pattern[at], items[item])) {
      at++
      item++
    } else if (wild >= 0) {
      at = wild + 1
      item = ++resume
    } else return false
  }
  while (at < pattern.length && isWild(pattern[at])) at++
  return at === pattern.length
}
