import type { LiteralSyntax } from './read-literal.js'

const words = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])

/** `.5` has one reading too. */
const jsonNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/
const pythonNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const pythonInteger = /^[+-]?0(?:[xX][\da-fA-F]+|[oO][0-7]+|[bB][01]+)$/

/** What a bare word or number means; undefined when it means nothing. */
export function literalWord(text: string, syntax: LiteralSyntax): { value: unknown } | undefined {
  if (words.has(text)) return { value: words.get(text) }
  if (jsonNumber.test(text)) return finite(Number(text))
  if (syntax === 'json') return undefined
  const digits = text.replace(/(\d)_(?=\d)/g, '$1')
  if (pythonNumber.test(digits)) return finite(Number(digits))
  if (pythonInteger.test(digits))
    return finite(digits.startsWith('-') ? -Number(digits.slice(1)) : Number(digits.replace('+', '')))
  return undefined
}

const finite = (value: number): { value: number } | undefined => (Number.isFinite(value) ? { value } : undefined)
