import { isRecord } from '../../../core/is-record.js'
import { badField } from '../../server/index.js'

/** Reads the fields of a client's object, and names the one that is not what it must be. A null is as good as nothing. */
export interface Fields {
  readonly path: string
  names(): string[]
  /** As it was sent; undefined when it is missing or null. */
  get(name: string): unknown
  /** Where a field stands: `tools[0].name`. */
  at(name: string): string
  text(name: string): string | undefined
  needText(name: string): string
  flag(name: string): boolean | undefined
  number(name: string, least: number, most: number): number | undefined
  whole(name: string, least: number, most?: number): number | undefined
  oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined
  fields(name: string): Fields | undefined
  list(name: string): Fields[] | undefined
}

export function fieldsOf(value: unknown, path = ''): Fields {
  if (!isRecord(value)) throw badField(path, `${path || 'The body'} must be an object.`, 'invalid_type')
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const get = (name: string) => (Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined)
  function typed<Type>(name: string, isType: (given: unknown) => boolean, words: string): Type | undefined {
    const given = get(name)
    if (given === undefined || isType(given)) return given as Type | undefined
    throw badField(at(name), `${at(name)} must be ${words}.`, 'invalid_type')
  }
  const text = (name: string) => typed<string>(name, (given) => typeof given === 'string', 'a text')
  return {
    path,
    names: () => Object.keys(value),
    get,
    at,
    text,
    needText(name) {
      const given = text(name)
      if (given !== undefined && given !== '') return given
      throw badField(at(name), `${at(name)} is missing.`, 'missing_required_parameter')
    },
    flag: (name) => typed(name, (given) => typeof given === 'boolean', 'true or false'),
    number: (name, least, most) =>
      typed(name, (given) => isWithin(given, least, most), `a number from ${least} to ${most}`),
    whole: (name, least, most = Number.MAX_SAFE_INTEGER) =>
      typed(
        name,
        (given) => Number.isSafeInteger(given) && isWithin(given, least, most),
        `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${most}`}`,
      ),
    oneOf: (name, choices) => typed(name, (given) => choices.includes(given as never), choices.join(', ')),
    fields: (name) => (get(name) === undefined ? undefined : fieldsOf(get(name), at(name))),
    list(name) {
      const given = typed<unknown[]>(name, Array.isArray, 'a list')
      return given?.map((one, index) => fieldsOf(one, `${at(name)}[${index}]`))
    },
  }
}

const isWithin = (given: unknown, least: number, most: number): boolean =>
  typeof given === 'number' && given >= least && given <= most

/** A field that would not be honoured is refused, so that nobody believes it was. */
export function refuseOthers(fields: Fields, known: readonly string[]): void {
  for (const name of fields.names()) {
    if (known.includes(name) || fields.get(name) === undefined) continue
    throw badField(fields.at(name), `${fields.at(name)} is not supported here.`, 'unsupported_parameter')
  }
}
