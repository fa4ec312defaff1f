import { Failure } from '../../errors.js'
import { plainValue } from './yaml-value.js'

/** Deeper values are refused; a property is not a database. */
const MAX_DEPTH = 16

/** `key: value` as whole lines, lists and objects in block style the way Obsidian writes them. */
export function pairLines(key: string, value: unknown, indent: string, lineBreak: string): string {
  return `${indent}${keyText(key)}:${valueText(value, indent, lineBreak)}${lineBreak}`
}

/** What follows `key:`, from its space or line break on, without the last line break. */
export function valueText(value: unknown, indent: string, lineBreak: string, comment = '', depth = 0): string {
  if (depth > MAX_DEPTH) throw new Failure('invalid-input', 'The property value is nested too deeply')
  if (Array.isArray(value) && value.length > 0) {
    return listText(
      value.map((item) => inlineText(item, depth + 1)),
      `${indent}  `,
      lineBreak,
      comment,
    )
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    const inner = `${indent}  `
    const lines = Object.keys(value).map(
      (key) => `${inner}${keyText(key)}:${valueText(value[key], inner, lineBreak, '', depth + 1)}`,
    )
    return [comment, ...lines].join(lineBreak)
  }
  return (value === null ? '' : ` ${inlineText(value, depth)}`) + comment
}

/** A block list of items that are already YAML. */
export function listText(items: string[], indent: string, lineBreak: string, comment = ''): string {
  return [comment, ...items.map((item) => `${indent}- ${item}`)].join(lineBreak)
}

/** A value on one line: a scalar, or a collection in flow style. */
export function inlineText(value: unknown, depth = 0, inFlow = false): string {
  if (depth > MAX_DEPTH) throw new Failure('invalid-input', 'The property value is nested too deeply')
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number' && Number.isFinite(value)) return Object.is(value, -0) ? '0' : String(value)
  if (typeof value === 'string') return isPlain(value, inFlow) ? value : quoted(value)
  if (Array.isArray(value)) return `[${value.map((item) => inlineText(item, depth + 1, true)).join(', ')}]`
  if (isObject(value)) {
    const pairs = Object.keys(value).map((key) => {
      const name = isPlain(key, true) ? key : quoted(key)
      return `${name}: ${inlineText(value[key], depth + 1, true)}`
    })
    return `{${pairs.join(', ')}}`
  }
  throw new Failure('invalid-input', 'A property value must be text, a number, true, false, null, a list or an object')
}

function keyText(key: string): string {
  if (key.length > 500) throw new Failure('invalid-input', 'A property name must be shorter than 500 characters')
  return isPlain(key, false) ? key : quoted(key)
}

function isObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Whether a string can stand without quotes and is read back as itself, by YAML 1.1 readers too. Dates stay bare, as in Obsidian. */
function isPlain(value: string, inFlow: boolean): boolean {
  if (!/^[\p{L}\p{N}_(/]/u.test(value) || /[\s:]$/.test(value)) return false
  if (/[\p{C}\u2028\u2029]|: | #|\s{2}|[^\S ]/u.test(value)) return false
  if (inFlow && /[,[\]{}:]/.test(value)) return false
  if (/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value)) return false
  // Numbers in any notation, times of day, `1_000`, `0b1`.
  if (/^\d[\d_.,:]*(?:e\d+)?$/i.test(value) || /^0[box][\da-f_]*$/i.test(value)) return false
  return plainValue(value) === value
}

function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u00ad\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
