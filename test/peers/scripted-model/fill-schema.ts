import type { Schema } from './request.js'

/** Makes a value that fits a schema of what stands in a text, as a model that reads both would try to. */
export function fill(schema: Schema, text: string, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum.find((choice) => mentions(text, String(choice))) ?? schema.enum[0]
  if (schema.anyOf) return fill(schema.anyOf.find(({ type }) => type !== 'null') ?? schema.anyOf[0], text, name)
  const type = Array.isArray(schema.type) ? schema.type.find((kind) => kind !== 'null') : schema.type
  switch (type ?? (schema.properties ? 'object' : 'string')) {
    case 'object':
      return fillObject(schema, text)
    case 'array':
      return fillArray(schema, text, name)
    case 'integer':
    case 'number':
      return numberFor(name, text)
    case 'boolean':
      return !/\b(false|no|not|off|without|never|disable[sd]?)\b/i.test(text)
    case 'null':
      return null
    default:
      return stringFor(name, schema.description ?? '', text)
  }
}

function fillObject({ properties = {}, required }: Schema, text: string): Record<string, unknown> {
  const names = Object.keys(properties).filter((name) => required === undefined || required.includes(name))
  return Object.fromEntries(names.map((name) => [name, fill(properties[name], text, name)]))
}

function fillArray({ items = { type: 'string' }, minItems = 0 }: Schema, text: string, name: string): unknown[] {
  const listed = items.type === 'string' && !items.enum ? listIn(text) : []
  if (listed.length > 1) return listed
  const numbers = items.type === 'integer' || items.type === 'number' ? numbersIn(text) : []
  if (numbers.length > 0) return numbers
  return Array.from({ length: Math.max(1, minItems) }, () => fill(items, text, name))
}

/** "a, b and c" behind a colon or the last such list. */
function listIn(text: string): string[] {
  const found = /((?:["'“]?[\w-]+["'”]?, )+(?:and |or )?["'“]?[\w-]+["'”]?)/.exec(text)?.[1] ?? ''
  return found
    .split(/, (?:and |or )?| and /)
    .map((part) => part.replace(/["'“”]/g, ''))
    .filter(Boolean)
}

const numbersIn = (text: string) => [...text.matchAll(/-?\d+(?:\.\d+)?/g)].map(([digits]) => Number(digits))

/** The number next to the field's name; else the first one. */
function numberFor(name: string, text: string): number {
  const beside = new RegExp(`${escaped(name)}\\W{1,4}(?:is |of |to |= ?)?(-?\\d+(?:\\.\\d+)?)`, 'i').exec(text)?.[1]
  return beside === undefined ? (numbersIn(text)[0] ?? 1) : Number(beside)
}

function stringFor(name: string, description: string, text: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
  const beside = new RegExp(
    `\\b${escaped(words)}\\b\\s*(?:is|=|:|of|to|named|called)?\\s*["'“\`]([^"'”\`]+)`,
    'i',
  ).exec(text)
  if (beside) return beside[1]
  const quoted = /["“`]([^"”`]+)["”`]|(?<!\w)'([^']+)'(?!\w)/.exec(text)
  if (quoted) return quoted[1] ?? quoted[2]
  const path = /[\w./-]+\.[a-z]{1,4}\b/i.exec(text)
  if (path && /file|path/i.test(`${name} ${description}`)) return path[0]
  return (
    names(text)[0] ??
    text
      .trim()
      .split(/\s+/)
      .at(-1)
      ?.replace(/[.?!]$/, '') ??
    ''
  )
}

/** Words that are names: with a capital letter, and not at the beginning of a sentence. */
export function names(text: string): string[] {
  const found = text.matchAll(/(?<=[a-z,;:] )\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)*/gu)
  return [...new Set([...found].map(([name]) => name).filter((name) => !/^(I|JSON|Use|Call|The)$/.test(name)))]
}

function mentions(text: string, word: string): boolean {
  return new RegExp(`(?<!\\w)${escaped(word)}(?!\\w)`, 'i').test(text)
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
