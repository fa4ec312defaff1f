import { Failure } from '../errors.js'

// `!` is used on characters before the end that the loop has checked, on the first of the parsed parts, and on
// instructions that `to` of a compiled program names.

/**
 * Regular expressions of users, notes and models, matched in bounded time. The platform's engine tries every way an
 * expression can match, which can take forever; this one visits each pair of instruction and position once.
 */
export interface BoundedExpression {
  test(text: string): boolean
  /** The first match at or after `from`, as `RegExp.exec` finds it. Groups inside lookarounds are not captured. */
  exec(text: string, from?: number): BoundedMatch | undefined
}

export interface BoundedMatch {
  start: number
  end: number
  /** The text of group 1, 2, …; undefined for a group that took no part. */
  groups: (string | undefined)[]
}

interface ExpressionOptions {
  ignoreCase?: boolean
  /** `^` and `$` also match at line breaks. */
  multiline?: boolean
  /** `.` also matches line breaks. */
  dotAll?: boolean
  /** Limit of work for one text; above it the match fails as `too-large`. Default: 50,000. */
  mostSteps?: number
}

/** Longer ones are not written by hand. */
const longestSource = 1000
const mostInstructions = 1000
/** Enough for 50 instructions at each of 1000 characters. */
const usualSteps = 50_000

/** undefined if the expression is invalid, too large, or has a back reference. */
export function boundedExpression(source: string, options: ExpressionOptions = {}): BoundedExpression | undefined {
  try {
    if (source.length > longestSource) return undefined
    // Says whether it is an expression at all; it is never run.
    new RegExp(source)
    const parser = new Parser(source, options)
    const program = compile(parser.parse())
    const match = (text: string, from: number): BoundedMatch | undefined =>
      new Matcher(text, program, options.mostSteps ?? usualSteps).find(from, parser.groups)
    return { test: (text) => match(text, 0) !== undefined, exec: (text, from = 0) => match(text, from) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Unsupported) return undefined
    throw error
  }
}

class Unsupported extends Error {}

type Node =
  | { kind: 'character'; test: CharacterTest }
  | { kind: 'sequence' | 'choice'; parts: Node[] }
  | { kind: 'repeat'; inner: Node; least: number; most: number; isLazy: boolean }
  | { kind: 'place'; test: PlaceTest }
  | { kind: 'look'; inner: Node; isBehind: boolean; isNegated: boolean }
  | { kind: 'group'; inner: Node; number: number }

type CharacterTest = (character: string) => boolean
type PlaceTest = (text: string, at: number) => boolean

const isWord = (text: string, at: number): boolean => /^\w$/.test(text.charAt(at))
const isBoundary: PlaceTest = (text, at) => isWord(text, at - 1) !== isWord(text, at)
const isLineBreak = (text: string, at: number): boolean => /^[\n\r\u2028\u2029]$/.test(text.charAt(at))

const places = (multiline: boolean): [string, PlaceTest][] => [
  ['^', (text, at) => at === 0 || (multiline && isLineBreak(text, at - 1))],
  ['$', (text, at) => at === text.length || (multiline && isLineBreak(text, at))],
  ['\\b', isBoundary],
  ['\\B', (text, at) => !isBoundary(text, at)],
]

/** Reads an expression that is known to be one. */
class Parser {
  groups = 0
  #at = 0
  readonly #source: string
  readonly #flags: string
  readonly #places: [string, PlaceTest][]

  constructor(source: string, { ignoreCase, multiline = false, dotAll }: ExpressionOptions) {
    this.#source = source
    this.#flags = `${ignoreCase ? 'i' : ''}${dotAll ? 's' : ''}`
    this.#places = places(multiline)
  }

  parse(): Node {
    const parts = [this.#sequence()]
    while (this.#took('|')) parts.push(this.#sequence())
    return { kind: 'choice', parts }
  }

  #sequence(): Node {
    const parts: Node[] = []
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!)) parts.push(this.#repeated())
    return { kind: 'sequence', parts }
  }

  #repeated(): Node {
    const inner = this.#term()
    const [found, sign, from, comma, to] = this.#takes(/([*+?])|\{(\d+)(,?)(\d*)\}/y) ?? []
    if (found === undefined) return inner
    const isLazy = this.#took('?')
    const least = sign === undefined ? Number(from) : sign === '+' ? 1 : 0
    const most =
      sign === undefined
        ? to
          ? Number(to)
          : comma
            ? Number.POSITIVE_INFINITY
            : least
        : sign === '?'
          ? 1
          : Number.POSITIVE_INFINITY
    return { kind: 'repeat', inner, least, most, isLazy }
  }

  #term(): Node {
    for (const [sign, test] of this.#places) if (this.#took(sign)) return { kind: 'place', test }
    const look = this.#takes(/\(\?(<?)([=!])/y)
    if (look) {
      return { kind: 'look', inner: this.#group(), isBehind: look[1] === '<', isNegated: look[2] === '!' }
    }
    if (this.#took('(?:')) return this.#group()
    if (this.#takes(/\((?:\?<[^>=!][^>]*>|(?!\?))/y)) {
      const number = ++this.groups
      return { kind: 'group', number, inner: this.#group() }
    }
    const found = this.#takes(/\[(?:[^\]\\]|\\[\s\S])*\]|\\(?:x[\da-f]{2}|u[\da-f]{4}|0(?!\d)|[^\dckxu]|[xu])|[^(\\]/iy)
    // A group that is referred to, or a form that is not known here.
    if (!found) throw new Unsupported()
    return { kind: 'character', test: characterTest(found[0], this.#flags) }
  }

  #group(): Node {
    const inner = this.parse()
    this.#took(')')
    return inner
  }

  #took(sign: string): boolean {
    if (!this.#source.startsWith(sign, this.#at)) return false
    this.#at += sign.length
    return true
  }

  #takes(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found === null) return undefined
    this.#at += found[0].length
    return found
  }
}

/** One character, a class or an escape: the platform knows what it stands for. */
function characterTest(source: string, flags: string): CharacterTest {
  const own = new RegExp(`^(?:${/^[{}\]]$/.test(source) ? `\\${source}` : source})$`, flags)
  const known = new Map<string, boolean>()
  return (character) => {
    let answer = known.get(character)
    if (answer === undefined) {
      answer = own.test(character)
      known.set(character, answer)
    }
    return answer
  }
}

type Instruction =
  | { op: 'character'; test: CharacterTest }
  | { op: 'place'; test: PlaceTest }
  | { op: 'look'; start: number; isBehind: boolean; isNegated: boolean }
  /** Continues at each of these; the first that leads to a match wins. */
  | { op: 'fork'; to: number[] }
  /** Notes the position: slot 2n for the start of group n, 2n + 1 for its end. */
  | { op: 'note'; slot: number }
  | { op: 'match' }

function compile(node: Node): Instruction[] {
  const program: Instruction[] = []
  const looks: { at: Extract<Instruction, { op: 'look' }>; inner: Node }[] = []

  function add<One extends Instruction>(instruction: One): One {
    if (program.length >= mostInstructions) throw new Unsupported()
    program.push(instruction)
    return instruction
  }
  function write(node: Node): void {
    switch (node.kind) {
      case 'character':
        return void add({ op: 'character', test: node.test })
      case 'place':
        return void add({ op: 'place', test: node.test })
      case 'look': {
        const { isBehind, isNegated, inner } = node
        looks.push({ at: add({ op: 'look', start: 0, isBehind, isNegated }), inner })
        return
      }
      case 'group':
        add({ op: 'note', slot: node.number * 2 })
        write(node.inner)
        add({ op: 'note', slot: node.number * 2 + 1 })
        return
      case 'sequence':
        node.parts.forEach(write)
        return
      case 'choice':
        writeChoice(node.parts)
        return
      case 'repeat':
        writeRepeat(node)
    }
  }
  function writeChoice(parts: readonly Node[]): void {
    if (parts.length === 1) {
      write(parts[0]!)
      return
    }
    const fork = add({ op: 'fork', to: [] as number[] })
    const ends = parts.map((part) => {
      fork.to.push(program.length)
      write(part)
      return add({ op: 'fork', to: [] as number[] })
    })
    for (const end of ends) end.to.push(program.length)
  }
  function writeRepeat({ inner, least, most, isLazy }: Extract<Node, { kind: 'repeat' }>): void {
    for (let times = 0; times < least; times++) repeat(inner)
    const forks: { to: number[] }[] = []
    if (most === Number.POSITIVE_INFINITY) {
      const start = program.length
      forks.push(add({ op: 'fork', to: [start + 1] }))
      write(inner)
      add({ op: 'fork', to: [start] })
    } else {
      for (let times = least; times < most; times++) {
        forks.push(add({ op: 'fork', to: [program.length + 1] }))
        repeat(inner)
      }
    }
    for (const { to } of forks) to[isLazy ? 'unshift' : 'push'](program.length)
  }
  /** A part that writes nothing could be repeated forever. */
  function repeat(inner: Node): void {
    const before = program.length
    write(inner)
    if (program.length === before) add({ op: 'fork', to: [before + 1] })
  }

  write(node)
  add({ op: 'match' })
  for (let look = looks.shift(); look !== undefined; look = looks.shift()) {
    look.at.start = program.length
    write(look.inner)
    add({ op: 'match' })
  }
  return program
}

/** Positions noted on the way to a state, newest first. */
interface Noted {
  slot: number
  at: number
  before: Noted | undefined
}

/** Matches in one text. Results of lookarounds are cached per position. */
class Matcher {
  #steps = 0
  readonly #known = new Map<number, boolean>()

  constructor(
    readonly text: string,
    readonly program: readonly Instruction[],
    readonly mostSteps: number,
  ) {}

  find(from: number, groups: number): BoundedMatch | undefined {
    // A state that led to no match from an earlier start leads to none from a later one.
    const seen = new Set<number>()
    for (let start = from; start <= this.text.length; start++) {
      const found = this.#run(0, start, seen)
      if (found === undefined) continue
      const { at: end, noted } = found
      return { start, end, groups: Array.from({ length: groups }, (_, index) => this.#group(index + 1, noted)) }
    }
    return undefined
  }

  #group(number: number, noted: Noted | undefined): string | undefined {
    let end: number | undefined
    for (let each = noted; each !== undefined; each = each.before) {
      if (each.slot === number * 2 + 1) end ??= each.at
      if (each.slot === number * 2 && end !== undefined) return this.text.slice(each.at, end)
    }
    return undefined
  }

  /** Follows the instructions from a position, preferred branches first, to the first match that ends at `end`, if given. */
  #run(
    start: number,
    from: number,
    seen: Set<number>,
    end?: number,
  ): { at: number; noted: Noted | undefined } | undefined {
    const width = this.text.length + 1
    const waiting: { index: number; at: number; noted: Noted | undefined }[] = [
      { index: start, at: from, noted: undefined },
    ]
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      const { index, at, noted } = state
      const key = index * width + at
      if (seen.has(key)) continue
      seen.add(key)
      if (++this.#steps > this.mostSteps) {
        throw new Failure('too-large', 'The regular expression takes too long on this text.', {
          hint: 'Use a simpler expression, or a literal text.',
        })
      }
      const instruction = this.program[index]!
      switch (instruction.op) {
        case 'match':
          if (end === undefined || at === end) return { at, noted }
          break
        case 'character':
          if (at < this.text.length && instruction.test(this.text[at]!)) {
            waiting.push({ index: index + 1, at: at + 1, noted })
          }
          break
        case 'place':
          if (instruction.test(this.text, at)) waiting.push({ index: index + 1, at, noted })
          break
        case 'look':
          if (this.#holds(instruction, key, at)) waiting.push({ index: index + 1, at, noted })
          break
        case 'note':
          waiting.push({ index: index + 1, at, noted: { slot: instruction.slot, at, before: noted } })
          break
        case 'fork':
          for (let last = instruction.to.length - 1; last >= 0; last--) {
            waiting.push({ index: instruction.to[last]!, at, noted })
          }
      }
    }
    return undefined
  }

  #holds(look: Extract<Instruction, { op: 'look' }>, key: number, at: number): boolean {
    let found = this.#known.get(key)
    if (found === undefined) {
      found = look.isBehind ? this.#endsAt(look.start, at) : this.#run(look.start, at, new Set()) !== undefined
      this.#known.set(key, found)
    }
    return found !== look.isNegated
  }

  #endsAt(start: number, end: number): boolean {
    const seen = new Set<number>()
    for (let from = 0; from <= end; from++) if (this.#run(start, from, seen, end) !== undefined) return true
    return false
  }
}
