import { isRecord } from '../../../core/is-record.js'
import { badField } from '../../server/index.js'

/** Reads the fields of a client's object. A field of the wrong type fails with its path. null counts as missing. */
export interface Fields {
  readonly path: string
  names(): string[]
  /** The raw value; undefined if it is missing or null. */
  get(name: string): unknown
  /** The path of a field: `tools[0].name`. */
  pathOf(name: string): string
  text(name: string): string | undefined
  needText(name: string): string
  boolean(name: string): boolean | undefined
  number(name: string, least: number, most: number): number | undefined
  integer(name: string, least: number, most?: number): number | undefined
  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined
  object(name: string): Fields | undefined
  list(name: string): Fields[] | undefined
}

export function readFields(value: unknown, path = ''): Fields {
  if (!isRecord(value)) throw badField(path, `${path || 'The request body'} must be an object.`, 'invalid_type')
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const get = (name: string) => (Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined)
  function typed<Type>(name: string, isType: (given: unknown) => boolean, words: string): Type | undefined {
    const given = get(name)
    if (given === undefined || isType(given)) return given as Type | undefined
    throw badField(at(name), `${at(name)} must be ${words}.`, 'invalid_type')
  }
  const text = (name: string) => typed<string>(name, (given) => typeof given === 'string', 'a string')
  return {
    path,
    names: () => Object.keys(value),
    get,
    pathOf: at,
    text,
    needText(name) {
      const given = text(name)
      if (given !== undefined && given !== '') return given
      throw badField(at(name), `${at(name)} is missing.`, 'missing_required_parameter')
    },
    boolean: (name) => typed(name, (given) => typeof given === 'boolean', 'true or false'),
    number: (name, least, most) =>
      typed(name, (given) => isWithin(given, least, most), `a number from ${least} to ${most}`),
    integer: (name, least, most = Number.MAX_SAFE_INTEGER) =>
      typed(
        name,
        (given) => Number.isSafeInteger(given) && isWithin(given, least, most),
        `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${most}`}`,
      ),
    oneOf: (name, choices) => typed(name, (given) => choices.includes(given as never), choices.join(', ')),
    object: (name) => (get(name) === undefined ? undefined : readFields(get(name), at(name))),
    list(name) {
      const given = typed<unknown[]>(name, Array.isArray, 'a list')
      return given?.map((one, index) => readFields(one, `${at(name)}[${index}]`))
    },
  }
}

const isWithin = (given: unknown, least: number, most: number): boolean =>
  typeof given === 'number' && given >= least && given <= most

/**
 * Fields that have no effect here, by name. Those in `needed` would change the meaning of the reply, so a request that
 * has one is refused.
 */
export function ignoredFields(fields: Fields, known: readonly string[], needed: readonly string[] = []): string[] {
  const unknown = fields.names().filter((name) => !known.includes(name) && fields.get(name) !== undefined)
  const refused = unknown.find((name) => needed.includes(name))
  if (refused === undefined) return unknown.map((name) => fields.pathOf(name))
  throw badField(fields.pathOf(refused), `${fields.pathOf(refused)} is not supported.`, 'unsupported_parameter')
}
