import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../test/runner/how-often.js'
import { pathPattern } from './path-pattern.js'

// Restricting rules apply to every meaning a name could have on some system; allowing ones only if all systems agree.
// The reference here is a matcher of a few lines, independent of the real one.

/** Reference matcher: tries every way a pattern can match a path. */
function means(pattern: string, path: string): boolean {
  const [first, ...rest] = pattern.split('/')
  const [name, ...names] = path.split('/')
  if (first === '**' && rest.length === 0) return path !== ''
  if (first === '**') {
    return means(rest.join('/'), path) || (names.length > 0 && means(pattern, names.join('/')))
  }
  if (!meansName(first, name)) return false
  if (rest.length === 0 || names.length === 0) return rest.length === names.length
  return means(rest.join('/'), names.join('/'))
}

function meansName(pattern: string, name: string): boolean {
  if (pattern === '') return name === ''
  const [piece, ...pieces] = pattern
  const [letter, ...letters] = name
  const [rest, others] = [pieces.join(''), letters.join('')]
  if (piece === '*') return meansName(rest, name) || (name !== '' && meansName(pattern, others))
  if (name === '') return false
  if (piece === '?') return meansName(rest, others)
  return piece === letter && meansName(rest, others)
}

/**
 * A folder's name covers everything below it, a bare name matches at any depth, a note matches without its extension.
 */
function restricts(pattern: string, path: string): boolean {
  const patterns = [pattern, ...(pattern.includes('/') || pattern === '**' ? [] : [`**/${pattern}`])]
  const below = /(?:\.md|\*\*)$/i.test(pattern) ? [] : patterns.map((each) => `${each}/**`)
  return [...patterns, ...below].some((each) => means(each, path) || means(each, path.replace(/\.md$/i, '')))
}

function allows(pattern: string, path: string): boolean {
  const last = pattern.slice(pattern.lastIndexOf('/') + 1)
  const below = /[*?]/.test(last) || /\.md$/i.test(pattern) ? [] : [`${pattern}/**`]
  return [pattern, ...below].some((each) => means(each, path))
}

// Spellings that file systems, and programs that use them, treat as equal.
const trimNames = (text: string) =>
  text
    .split('/')
    .map((name) => name.replace(/[. ]+$/, ''))
    .join('/')
// Letter by letter: at the end of a word Σ would become another letter than inside.
const lower = (text: string) => [...text].map((letter) => letter.toLowerCase()).join('')
const spellings: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFD'),
  (text) => text.normalize('NFKC'),
  (text) => text.normalize('NFKD'),
  lower,
  (text) => lower(lower(text).normalize('NFD').toUpperCase().normalize('NFC')),
  (text) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, ''),
  trimNames,
]

/** Values drawn from one seed, which is faster than millions of generators. */
class Draw {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  of<T>(all: readonly T[]): T {
    return all[this.below(all.length)]
  }

  some<T>(least: number, most: number, one: () => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, one)
  }

  path(letters: readonly string[]): string {
    return this.some(1, 3, () => this.some(1, 4, () => this.of(letters)).join('')).join('/')
  }

  pattern(letters: readonly string[]): string {
    const piece = () => (this.below(5) < 2 ? this.of(['?', '*']) : this.of(letters))
    const name = () => (this.below(6) === 0 ? '**' : this.some(1, 4, piece).join(''))
    // Two stars are only a pattern where they are a whole name.
    return this.some(1, 3, name)
      .map((each) => (each === '**' ? each : each.replace(/\*{2,}/g, '*')))
      .join('/')
  }

  /** A path that a pattern means: every wildcard replaced by something that it stands for. */
  meant(pattern: string, letters: readonly string[]): string[] {
    return pattern.split('/').flatMap((name) => {
      if (name === '**') return this.some(0, 2, () => this.of(letters))
      const fill = (piece: string) =>
        piece === '?' ? this.of(letters) : piece === '*' ? this.some(0, 2, () => this.of(letters)).join('') : piece
      return [[...name].map(fill).join('')]
    })
  }

  /** Spells the same name as another system, or an attacker, would write it. */
  disguise(name: string): string {
    const isFullwidth = this.below(3) === 0
    const spelled = [...name.normalize(this.of(['NFC', 'NFD']))].map((character) => {
      const own =
        isFullwidth && character > ' ' && character < '\x7f'
          ? String.fromCharCode(character.charCodeAt(0) + 0xfee0)
          : character
      const other = this.below(2) === 0 ? own.toUpperCase() : own.toLowerCase()
      return [...other].length === 1 ? other : own
    })
    spelled.splice(this.below(spelled.length + 1), 0, this.of(['', '', '\u200b', '\u00ad', '\ufe0f', '\u2063']))
    return spelled.join('') + this.of(['', '', '.', ' ', '. .', '…', '\u3000'])
  }

  spelling(): (text: string) => string {
    const ways = this.some(1, 3, () => this.of(spellings))
    return (text) => ways.reduce((spelled, way) => way(spelled), text)
  }
}

const odd = ['a', 'b', 'A', 'e', 'é', '\u0301', 'ß', 's', 'ａ', '．', '.', ' ', '\u200b', 'Σ', '한']
const plain = ['a', 'b', 'c', '-']
const pairsOfSeed = 500

function forPairs(pairs: number, check: (draw: Draw) => void): void {
  const ofSeed = fc.property(fc.integer(), (seed) => {
    const draw = new Draw(seed)
    for (let pair = 0; pair < pairsOfSeed; pair++) check(draw)
  })
  fc.assert(ofSeed, { numRuns: pairs / pairsOfSeed })
}

const fail = (says: string, pattern: string, path: string): never =>
  expect.fail(`${says}: ${JSON.stringify(pattern)} and ${JSON.stringify(path)}`)

/** A name of only dots, blanks and invisible characters is invalid on every system. */
function isPossible(path: string): boolean {
  const bare = trimNames(path.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''))
  return !/(?:^|\/)(?:\/|$)/.test(bare)
}

describe('a path pattern in other spellings', () => {
  it('is not got round by any disguise of a name that it means', () => {
    let meant = 0
    forPairs(howOften(2_000, 400_000), (draw) => {
      const pattern = draw.pattern(odd)
      const names = draw.meant(pattern, odd)
      const path = names.map((name) => draw.disguise(name)).join('/')
      const spelled = draw.spelling()(pattern)
      if (!isPossible(path) || !restricts(pattern, names.join('/'))) return
      meant++
      if (!pathPattern(pattern, 'wide')(path)) fail('leaks', pattern, path)
      // The rule may be spelled differently too, if something of every name remains.
      if (isPossible(spelled) && !pathPattern(spelled, 'wide')(path)) fail('leaks', spelled, path)
    })
    expect(meant).toBeGreaterThan(howOften(800, 160_000))
  }, 600_000)

  it('restricts what it means in one of the spellings, and allows what it means in all of them', () => {
    forPairs(howOften(2_000, 400_000), (draw) => {
      const pattern = draw.pattern(odd)
      const path = draw.below(2) === 0 ? draw.path(odd) : draw.meant(pattern, odd).join('/')
      const [one, other] = [draw.spelling(), draw.spelling()]
      if (!isPossible(path)) return
      if (restricts(one(pattern), other(path)) && !pathPattern(pattern, 'wide')(path)) fail('leaks', pattern, path)
      const isAllowed = allows(pattern, path) && allows(one(pattern), one(path))
      if (!isAllowed && pathPattern(pattern, 'exact')(path)) fail('allows', pattern, path)
    })
  }, 600_000)

  it('means no more than it says where there is only one spelling', () => {
    forPairs(howOften(2_000, 200_000), (draw) => {
      const pattern = draw.pattern(plain)
      const path = `${draw.path(plain)}${draw.of(['', '.md'])}`
      if (pathPattern(pattern, 'wide')(path) !== restricts(pattern, path)) fail('restricts', pattern, path)
      if (pathPattern(pattern, 'exact')(path) !== allows(pattern, path)) fail('allows', pattern, path)
    })
  }, 600_000)
})
