import { foldPath } from '../../vault/index.js'

/** `wide` for rules that restrict: any case, any depth for a bare name. `exact` for rules that allow: to the letter. */
export type Strictness = 'exact' | 'wide'

/**
 * A path pattern from the top of the vault: `*` and `?` stay within a name, `**` goes through folders, `\` takes a
 * character as it is. A last name without wildcards also means everything below it, unless it is that of a note.
 */
export function pathPattern(pattern: string, strictness: Strictness): (path: string) => boolean {
  const fold = strictness === 'wide' ? foldPath : (path: string) => path
  const names = fold(pattern.replace(/\/+$/, '/**')).split('/')
  const steps = names.map(readStep)
  if (strictness === 'wide' && steps.length === 1) steps.unshift(deep)
  const last = steps[steps.length - 1]
  const isFolderToo = last !== deep && last.every((piece) => typeof piece === 'string') && !/\.md$/i.test(pattern)
  // A pattern that ends with `**` means what is below, not the folder's own name.
  if (last === deep) steps.push([many])
  const below: Step[] | undefined = isFolderToo ? [...steps, deep, [many]] : undefined
  const isMeant = (path: string) => {
    const parts = path.split('/')
    return fits(steps, parts) || (below !== undefined && fits(below, parts))
  }
  // People call a note by its name, without `.md`; whoever wants to protect it so must not be mistaken.
  if (strictness === 'wide') return (path) => isMeant(fold(path)) || isMeant(fold(path).replace(/\.md$/, ''))
  return isMeant
}

/** A name spelled so that a pattern takes every character as it is. */
export function literalPattern(path: string): string {
  return path.replace(/[*?\\]/g, '\\$&')
}

const deep = 'deep'
const many = Symbol('many')
const one = Symbol('one')
type Piece = string | typeof many | typeof one
type Step = typeof deep | Piece[]

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

const fits = (steps: Step[], parts: string[]) =>
  matchesAll(
    steps,
    parts,
    (step) => step === deep,
    (step, part) => fitsName(step as Piece[], part),
  )

const fitsName = (pieces: Piece[], name: string) =>
  matchesAll(
    pieces,
    [...name],
    (piece) => piece === many,
    (piece, character) => piece === one || piece === character,
  )

/** Goes back to the last wildcard only, so that no pattern takes longer than the product of the lengths. */
function matchesAll<P, T>(
  pattern: readonly P[],
  items: readonly T[],
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
