import { Failure } from '../errors.js'

/**
 * Parses an expression of Obsidian Bases, as used in filters and formulas, into a tree. Nothing is evaluated here, and no
 * part of an expression ever becomes program code.
 */
export function parseExpression(source: string): Expression {
  if (source.length > longestSource) throw problem(source, longestSource, 'The expression is too long')
  return new Parser(source).parse()
}

export type Expression =
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'pattern'; source: string; flags: string }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'object'; entries: [key: string, value: Expression][] }
  | { kind: 'name'; name: string }
  | { kind: 'member'; of: Expression; key: Expression }
  | { kind: 'call'; name: string; arguments: Expression[] }
  | { kind: 'method'; of: Expression; name: string; arguments: Expression[] }
  | { kind: 'unary'; operator: '!' | '-' | '+'; operand: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  /** `a-b` without blanks: a property with that name, else the difference. */
  | { kind: 'hyphenated'; name: string; otherwise: Expression }

export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%'

/** All parts of an expression, the whole first. */
export function* partsOfExpression(expression: Expression): Generator<Expression> {
  yield expression
  for (const part of childrenOf(expression)) yield* partsOfExpression(part)
}

const longestSource = 10_000
/** Deeper nesting is not written by hand, and would overflow the stack. */
const deepest = 100

function childrenOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'list':
      return expression.items
    case 'object':
      return expression.entries.map(([, value]) => value)
    case 'member':
      return [expression.of, expression.key]
    case 'call':
      return expression.arguments
    case 'method':
      return [expression.of, ...expression.arguments]
    case 'unary':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'hyphenated':
      return [expression.otherwise]
    default:
      return []
  }
}

type TokenKind = 'number' | 'string' | 'name' | 'sign' | 'end'

interface Token {
  kind: TokenKind
  /** The value of a string, the text of anything else. */
  text: string
  start: number
  end: number
}

const levels: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
]
const signs = /\|\||&&|===?|!==?|[<>]=?|[-+*/%!()[\]{},.:]/y
const name = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+/y
const blanks = /\s*/y
const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

class Parser {
  readonly #source: string
  #next: Token
  #depth = 0

  constructor(source: string) {
    this.#source = source
    this.#next = this.#read(0)
  }

  parse(): Expression {
    if (this.#isAtEnd()) throw this.#problem('The expression is empty')
    const expression = this.#binary(0)
    if (!this.#isAtEnd()) throw this.#problem(`Unexpected ${quoted(this.#next.text)}`)
    return expression
  }

  #isAtEnd(): boolean {
    return this.#next.kind === 'end'
  }

  #binary(level: number): Expression {
    const operators = levels[level]
    if (operators === undefined) return this.#unary()
    let left = this.#binary(level + 1)
    let length = 0
    for (;;) {
      const start = this.#next.start
      const operator = this.#operator(operators)
      if (operator === undefined) return left
      // A chain of operators becomes a tree as deep as the chain is long.
      if (++length > deepest) throw this.#problem('The expression has too many parts')
      const isTight = !isBlank(this.#source, start - 1) && this.#next.start === start + 1
      const right = this.#binary(level + 1)
      const difference: Expression = { kind: 'binary', operator, left, right }
      const words = operator === '-' && isTight ? hyphenated(left, right) : undefined
      left = words === undefined ? difference : { kind: 'hyphenated', name: words, otherwise: difference }
    }
  }

  #operator(operators: readonly BinaryOperator[]): BinaryOperator | undefined {
    if (this.#next.kind !== 'sign') return undefined
    const text = this.#next.text === '===' ? '==' : this.#next.text === '!==' ? '!=' : this.#next.text
    const operator = operators.find((each) => each === text)
    if (operator !== undefined) this.#advance()
    return operator
  }

  #unary(): Expression {
    for (const operator of ['!', '-', '+'] as const) {
      if (this.#took(operator)) return this.#nested(() => ({ kind: 'unary', operator, operand: this.#unary() }))
    }
    return this.#postfix()
  }

  #postfix(): Expression {
    let expression = this.#primary()
    for (let length = 0; ; length++) {
      if (length > deepest) throw this.#problem('The expression has too many parts')
      if (this.#took('.')) {
        const word = this.#expect('name', 'a name after "."')
        expression = this.#took('(')
          ? { kind: 'method', of: expression, name: word, arguments: this.#items(')') }
          : { kind: 'member', of: expression, key: { kind: 'literal', value: word } }
      } else if (this.#took('[')) {
        const key = this.#nested(() => this.#binary(0))
        this.#require(']')
        expression = { kind: 'member', of: expression, key }
      } else {
        return expression
      }
    }
  }

  #primary(): Expression {
    const token = this.#next
    if (token.kind === 'sign' && token.text === '/') return this.#pattern(token.start)
    if (token.kind === 'number') return this.#literal(Number(token.text))
    if (token.kind === 'string') return this.#literal(token.text)
    if (token.kind === 'name') {
      this.#advance()
      if (this.#took('(')) return { kind: 'call', name: token.text, arguments: this.#items(')') }
      const constant = constants.get(token.text)
      return constant === undefined ? { kind: 'name', name: token.text } : { kind: 'literal', value: constant }
    }
    if (this.#took('(')) {
      const inner = this.#nested(() => this.#binary(0))
      this.#require(')')
      return inner
    }
    if (this.#took('[')) return { kind: 'list', items: this.#items(']') }
    if (this.#took('{')) return { kind: 'object', entries: this.#entries() }
    throw this.#problem(token.kind === 'end' ? 'Something is missing at the end' : `Unexpected ${quoted(token.text)}`)
  }

  #literal(value: string | number): Expression {
    this.#advance()
    return { kind: 'literal', value }
  }

  /** Items up to a closing sign. */
  #items(close: string): Expression[] {
    const items: Expression[] = []
    while (!this.#took(close)) {
      items.push(this.#nested(() => this.#binary(0)))
      if (this.#took(close)) break
      this.#require(',', `"," or ${quoted(close)}`)
    }
    return items
  }

  #entries(): [string, Expression][] {
    const entries: [string, Expression][] = []
    while (!this.#took('}')) {
      const key = this.#next.kind === 'string' ? this.#expect('string', 'a key') : this.#expect('name', 'a key')
      this.#require(':')
      entries.push([key, this.#nested(() => this.#binary(0))])
      if (this.#took('}')) break
      this.#require(',', '"," or "}"')
    }
    return entries
  }

  /** `/a\/b/gi`, where a value is expected. */
  #pattern(start: number): Expression {
    const regex = /\/((?:[^/\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+)\/([a-z]*)/y
    regex.lastIndex = start
    const found = regex.exec(this.#source)
    if (found === null) throw this.#problem('Unexpected "/"')
    this.#next = this.#read(regex.lastIndex)
    return { kind: 'pattern', source: found[1] ?? '', flags: found[2] ?? '' }
  }

  #nested<Result>(parse: () => Result): Result {
    if (++this.#depth > deepest) throw this.#problem('The expression is nested too deeply')
    const result = parse()
    this.#depth--
    return result
  }

  #took(sign: string): boolean {
    if (this.#next.kind !== 'sign' || this.#next.text !== sign) return false
    this.#advance()
    return true
  }

  #require(sign: string, wanted = quoted(sign)): void {
    if (!this.#took(sign)) throw this.#problem(`Expected ${wanted}`)
  }

  #expect(kind: TokenKind, wanted: string): string {
    const { text } = this.#next
    if (this.#next.kind !== kind) throw this.#problem(`Expected ${wanted}`)
    this.#advance()
    return text
  }

  #advance(): void {
    this.#next = this.#read(this.#next.end)
  }

  #read(from: number): Token {
    blanks.lastIndex = from
    blanks.exec(this.#source)
    const start = blanks.lastIndex
    const character = this.#source[start]
    if (character === undefined) return { kind: 'end', text: '', start, end: start }
    if (character === '"' || character === "'") return this.#string(start, character)
    for (const [kind, pattern] of [
      ['number', number],
      ['name', name],
      ['sign', signs],
    ] as const) {
      pattern.lastIndex = start
      const text = pattern.exec(this.#source)?.[0]
      if (text !== undefined) return { kind, text, start, end: start + text.length }
    }
    throw problem(
      this.#source,
      start,
      `Unexpected ${quoted(String.fromCodePoint(this.#source.codePointAt(start) ?? 0))}`,
    )
  }

  #string(start: number, quote: string): Token {
    let text = ''
    for (let at = start + 1; at < this.#source.length; at++) {
      const character = this.#source.charAt(at)
      if (character === quote) return { kind: 'string', text, start, end: at + 1 }
      if (character !== '\\') text += character
      else text += escaped(this.#source.charAt(++at))
    }
    throw problem(this.#source, start, 'A closing quote is missing')
  }

  #problem(reason: string): Failure {
    return problem(this.#source, this.#next.start, reason)
  }
}

const isBlank = (source: string, at: number): boolean => /^\s?$/.test(source.charAt(at))

function hyphenated(left: Expression, right: Expression): string | undefined {
  if (right.kind !== 'name') return undefined
  if (left.kind === 'name' || left.kind === 'hyphenated') return `${left.name}-${right.name}`
  return undefined
}

function escaped(character: string): string {
  if (character === 'n') return '\n'
  if (character === 't') return '\t'
  return character === 'r' ? '\r' : character
}

const quoted = (text: string): string => `"${text}"`

function problem(source: string, at: number, reason: string): Failure {
  const near = source.slice(Math.max(0, at - 20), at + 20).replace(/\s+/g, ' ')
  return new Failure('invalid-input', `${reason} at character ${at + 1} of the expression, near "${near}".`, {
    hint: 'Expressions are written as in Obsidian Bases, for example: status == "open" && file.hasTag("project").',
    data: { expression: source.slice(0, 500), at },
  })
}
