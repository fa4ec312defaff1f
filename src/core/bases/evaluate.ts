import { Failure } from '../errors.js'
import { nearestName } from '../text/index.js'
import type { TimeZone } from '../time/index.js'
import type { BaseFile, BaseFiles } from './base-files.js'
import { callFunction, callMethod, fieldOf, functionNames, linkTo, methodNames, patternOf } from './functions.js'
import { type Expression, partsOfExpression } from './parse-expression.js'
import {
  addDuration,
  asDate,
  compareValues,
  DateValue,
  DurationValue,
  FileValue,
  isEqual,
  isTruthy,
  ObjectValue,
  propertyValue,
  readDuration,
  textOf,
  type Value,
} from './values.js'

/** An expression is evaluated with one file, the files it can reach, and the time. */
export interface ExpressionContext {
  file: BaseFile
  files: BaseFiles
  formulas?: ReadonlyMap<string, Expression>
  /** The file that shows the base: `this`. */
  shownIn?: BaseFile | undefined
  /** Milliseconds since 1970; the same for all files of one query. */
  now: number
  zone: TimeZone
}

/**
 * The value of an expression for one file. Fails with `invalid-input` where a function cannot take a value, and with
 * `too-large` when the work for one file passes a limit.
 */
export function evaluate(
  expression: Expression,
  context: ExpressionContext,
  names?: ReadonlyMap<string, Value>,
): Value {
  return new Evaluation(context).value(expression, names ?? new Map())
}

/** Fails with `invalid-input` if the expression calls a function that there is none of. */
export function checkFunctions(expression: Expression): void {
  for (const part of partsOfExpression(expression)) {
    if (part.kind === 'call' && !lazyFunctions.has(part.name) && !functionNames.has(part.name)) {
      throw unknownFunction(part.name, [...lazyFunctions, ...functionNames])
    }
    if (part.kind === 'method' && !lazyMethods.has(part.name) && !methodNames.has(part.name)) {
      throw unknownFunction(part.name, [...lazyMethods, ...methodNames])
    }
    if (part.kind === 'pattern') patternOf(part.source, part.flags)
  }
}

function unknownFunction(name: string, known: readonly string[]): Failure {
  const near = nearestName(name, known)
  return new Failure('invalid-input', `Unknown function in the expression: ${name.slice(0, 60)}()`, {
    hint: near === undefined ? 'Use a function of Obsidian Bases.' : `Did you mean ${near}()?`,
  })
}

/** Functions that evaluate an argument only when it is needed, or once for each item of a list. */
const lazyFunctions: ReadonlySet<string> = new Set(['if'])
const lazyMethods: ReadonlySet<string> = new Set(['filter', 'map', 'reduce'])

const mostSteps = 50_000
const longestText = 100_000
type Names = ReadonlyMap<string, Value>

class Evaluation {
  #steps = 0
  readonly #context: ExpressionContext
  readonly #formulas = new Map<string, Value>()
  readonly #running = new Set<string>()

  constructor(context: ExpressionContext) {
    this.#context = context
  }

  value(expression: Expression, names: Names): Value {
    this.spend(1)
    switch (expression.kind) {
      case 'literal':
        return expression.value
      case 'pattern':
        return patternOf(expression.source, expression.flags)
      case 'list':
        return expression.items.map((item) => this.value(item, names))
      case 'object':
        return new ObjectValue(new Map(expression.entries.map(([key, each]) => [key, this.value(each, names)])))
      case 'name':
        return this.#named(expression.name, names)
      case 'hyphenated':
        return this.#property(expression.name) ?? this.value(expression.otherwise, names)
      case 'member':
        return this.#member(expression, names)
      case 'call':
        return this.#call(expression, names)
      case 'method':
        return this.#method(expression, names)
      case 'unary':
        return this.#unary(expression, names)
      case 'binary':
        return this.#binary(expression, names)
    }
  }

  /** Counts work, so that no expression runs for long. */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > mostSteps) {
      throw new Failure('too-large', 'The expression takes too much work for one note.', {
        hint: 'Use shorter lists and texts, or a simpler expression.',
      })
    }
  }

  #named(name: string, names: Names): Value {
    const known = names.get(name)
    if (known !== undefined) return known
    const { file, shownIn } = this.#context
    if (name === 'file') return new FileValue(file)
    if (name === 'this') return shownIn === undefined ? null : new FileValue(shownIn)
    if (name === 'note') return this.#properties(file)
    return this.#property(name) ?? null
  }

  #properties(file: BaseFile): ObjectValue {
    const entries = Object.entries(file.properties ?? {})
    return new ObjectValue(new Map(entries.map(([key, value]) => [key, this.#read(value, file)])))
  }

  /** A property of the note; capitals matter only when two names differ by nothing else. */
  #property(name: string, file = this.#context.file): Value | undefined {
    const properties = file.properties ?? {}
    if (Object.hasOwn(properties, name)) return this.#read(properties[name], file)
    const folded = name.toLowerCase()
    const key = Object.keys(properties).find((each) => each.toLowerCase() === folded)
    return key === undefined ? undefined : this.#read(properties[key], file)
  }

  #read(value: unknown, file: BaseFile): Value {
    return propertyValue(value, (text) => linkTo(text, undefined, file.path, this.#context.files, 'wikilinks only'))
  }

  #member({ of, key }: Extract<Expression, { kind: 'member' }>, names: Names): Value {
    const wanted = this.value(key, names)
    if (of.kind === 'name' && !names.has(of.name)) {
      if (of.name === 'formula') return this.#formula(textOf(wanted))
      if (of.name === 'note') return this.#property(textOf(wanted)) ?? null
      // `this.file` is the file itself, any other `this.x` one of its properties.
      if (of.name === 'this') {
        const { shownIn } = this.#context
        if (shownIn === undefined) return null
        return wanted === 'file' ? new FileValue(shownIn) : (this.#property(textOf(wanted), shownIn) ?? null)
      }
    }
    const value = this.value(of, names)
    if (value === null) return null
    if (value instanceof FileValue && wanted === 'properties') return this.#properties(value.file)
    if (Array.isArray(value) && typeof wanted === 'number')
      return value[wanted < 0 ? value.length + wanted : wanted] ?? null
    if (value instanceof ObjectValue) return value.entries.get(textOf(wanted)) ?? null
    return fieldOf(value, textOf(wanted), this.#context)
  }

  #formula(name: string): Value {
    const made = this.#formulas.get(name)
    if (made !== undefined) return made
    const expression = this.#context.formulas?.get(name)
    if (expression === undefined)
      throw new Failure('invalid-input', `There is no formula named "${name.slice(0, 60)}".`)
    if (this.#running.has(name)) {
      throw new Failure('invalid-input', `The formula "${name.slice(0, 60)}" refers to itself.`)
    }
    this.#running.add(name)
    const value = this.value(expression, new Map())
    this.#running.delete(name)
    this.#formulas.set(name, value)
    return value
  }

  #call({ name, arguments: inputs }: Extract<Expression, { kind: 'call' }>, names: Names): Value {
    if (name === 'if') {
      const [condition, yes, no] = inputs
      const chosen = condition !== undefined && isTruthy(this.value(condition, names)) ? yes : no
      return chosen === undefined ? null : this.value(chosen, names)
    }
    if (!functionNames.has(name)) throw unknownFunction(name, [...lazyFunctions, ...functionNames])
    const values = inputs.map((input) => this.value(input, names))
    return this.#bounded(callFunction(name, values, this.#context))
  }

  #method({ of, name, arguments: inputs }: Extract<Expression, { kind: 'method' }>, names: Names): Value {
    // `note.contains` would be a function of all properties; a property may be named like a function.
    const value = this.value(of, names)
    if (Array.isArray(value)) {
      if (name === 'filter') return this.#filtered(value, inputs, names)
      if (name === 'map') return value.map((item, index) => this.#forItem(inputs[0], names, item, index))
      if (name === 'reduce') return this.#reduced(value, inputs, names)
    }
    const values = inputs.map((input) => this.value(input, names))
    this.spend(sizeOf(value) + values.reduce((sum: number, each) => sum + sizeOf(each), 0))
    return this.#bounded(callMethod(value, name, values, this.#context, this))
  }

  #filtered(list: readonly Value[], [test]: readonly Expression[], names: Names): Value[] {
    return list.filter((item, index) => isTruthy(this.#forItem(test, names, item, index)))
  }

  #reduced(list: readonly Value[], [step, start]: readonly Expression[], names: Names): Value {
    let acc: Value = start === undefined ? null : this.value(start, names)
    list.forEach((item, index) => {
      acc = this.#bounded(this.#forItem(step, new Map([...names, ['acc', acc]]), item, index))
    })
    return acc
  }

  #forItem(expression: Expression | undefined, names: Names, value: Value, index: number): Value {
    if (expression === undefined) throw new Failure('invalid-input', 'An expression is missing in the brackets.')
    return this.value(expression, new Map([...names, ['value', value], ['index', index]]))
  }

  #unary({ operator, operand }: Extract<Expression, { kind: 'unary' }>, names: Names): Value {
    const value = this.value(operand, names)
    if (operator === '!') return !isTruthy(value)
    if (value instanceof DurationValue) return operator === '-' ? new DurationValue(-value.months, -value.ms) : value
    const number = asNumber(value)
    return number === undefined ? null : operator === '-' ? -number : number
  }

  #binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, names: Names): Value {
    if (operator === '&&') return isTruthy(this.value(left, names)) && isTruthy(this.value(right, names))
    if (operator === '||') return isTruthy(this.value(left, names)) || isTruthy(this.value(right, names))
    const [a, b] = [this.value(left, names), this.value(right, names)]
    this.spend(sizeOf(a) + sizeOf(b))
    switch (operator) {
      case '==':
        return isEqual(a, b)
      case '!=':
        return !isEqual(a, b)
      case '<':
      case '<=':
      case '>':
      case '>=':
        return isInOrder(operator, compareValues(a, b))
      case '+':
        return this.#bounded(plus(a, b))
      case '-':
        return minus(a, b)
      default:
        return product(operator, a, b)
    }
  }

  #bounded(value: Value): Value {
    if (typeof value === 'string' && value.length > longestText) {
      throw new Failure('too-large', 'The expression makes a text that is too long.')
    }
    this.spend(sizeOf(value))
    return value
  }
}

/** Roughly the work that a value stands for. */
const sizeOf = (value: Value): number =>
  Array.isArray(value) ? value.length : typeof value === 'string' ? value.length / 100 : 0

function isInOrder(operator: '<' | '<=' | '>' | '>=', order: number | undefined): boolean {
  // Values that cannot be compared, such as a missing property, are in no order.
  if (order === undefined || Number.isNaN(order)) return false
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

function plus(a: Value, b: Value): Value {
  const moved = shifted(a, b, 1) ?? shifted(b, a, 1)
  if (moved !== undefined) return moved
  if (a instanceof DurationValue && b instanceof DurationValue) {
    return new DurationValue(a.months + b.months, a.ms + b.ms)
  }
  if (Array.isArray(a)) return [...a, ...(Array.isArray(b) ? b : [b])]
  if (isWord(a) || isWord(b)) return textOf(a) + textOf(b)
  return arithmetic(a, b, (first, second) => first + second)
}

const isWord = (value: Value): boolean =>
  value !== null && typeof value !== 'number' && typeof value !== 'boolean' && !(value instanceof DurationValue)

function minus(a: Value, b: Value): Value {
  const duration = durationOf(b)
  const date = asDate(a)
  if (date !== undefined && duration !== undefined) return shifted(date, duration, -1) ?? null
  if (a instanceof DurationValue && duration !== undefined) {
    return new DurationValue(a.months - duration.months, a.ms - duration.ms)
  }
  const other = asDate(b)
  if (date !== undefined && other !== undefined) return date.wall - other.wall
  return arithmetic(a, b, (first, second) => first - second)
}

function product(operator: '*' | '/' | '%', a: Value, b: Value): Value {
  if (a instanceof DurationValue && typeof b === 'number' && operator !== '%') {
    const factor = operator === '*' ? b : 1 / b
    return Number.isFinite(factor) ? new DurationValue(a.months * factor, a.ms * factor) : null
  }
  return arithmetic(a, b, (first, second) =>
    operator === '*' ? first * second : operator === '/' ? first / second : first % second,
  )
}

/** null if one side is no number or the result is none, such as a division by zero. */
function arithmetic(a: Value, b: Value, apply: (a: number, b: number) => number): Value {
  const [first, second] = [asNumber(a), asNumber(b)]
  if (first === undefined || second === undefined) return null
  const result = apply(first, second)
  return Number.isFinite(result) ? result : null
}

function asNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined
}

const durationOf = (value: Value): DurationValue | undefined =>
  value instanceof DurationValue ? value : typeof value === 'string' ? readDuration(value) : undefined

/** A date moved by a duration; undefined if this is no such pair. */
function shifted(date: Value, by: Value, sign: 1 | -1): Value | undefined {
  const duration = durationOf(by)
  if (!(date instanceof DateValue) || duration === undefined) return undefined
  return addDuration(date, duration, sign) ?? null
}
