import { Failure } from '../../errors.js'
import { editFrontmatter, type FrontmatterEdit, readFrontmatter } from '../../markdown/index.js'
import { foldCase } from '../../vault/index.js'

/** A property whose values differ. The note keeps its own; the other one is under another name. */
export interface PropertyConflict {
  property: string
  keptAs: string
}

/**
 * Adds the properties of a note to those of another. Lists are united. Where single values differ, the note keeps its
 * own, and the other one is kept as `status (from Name)`.
 */
export function mergeProperties(
  text: string,
  from: { data: Record<string, unknown>; name: string; aliases: readonly string[]; into: string },
): { text: string; conflicts: PropertyConflict[] } {
  const conflicts: PropertyConflict[] = []
  let merged = text
  for (const [key, value] of Object.entries(from.data)) {
    const current = propertiesOf(merged)
    const own = keyIn(current, key)
    if (own === undefined) {
      merged = editFrontmatter(merged, { set: one(key, value) })
      continue
    }
    const [mine, other] = [current[own], value]
    if (isEmpty(other) || isSame(mine, other)) continue
    if (isEmpty(mine)) merged = editFrontmatter(merged, { set: one(own, other) })
    else if (isList(own, mine) || isList(own, other))
      merged = editFrontmatter(merged, { add: one(own, items(own, other)) })
    else {
      const keptAs = freeName(current, `${key} (from ${from.name})`)
      merged = editFrontmatter(merged, { set: one(keptAs, other) })
      conflicts.push({ property: own, keptAs })
    }
  }
  return { text: withAliases(merged, from.aliases, from.into), conflicts }
}

/** The properties of a note. Fails if they cannot be read: merging would lose them. */
export function propertiesOf(text: string, path = 'the note'): Record<string, unknown> {
  const frontmatter = readFrontmatter(text)
  if (frontmatter === undefined) return {}
  if (frontmatter.data !== undefined) return frontmatter.data
  throw new Failure('invalid-input', `The properties of ${path} cannot be read: ${frontmatter.errors[0] ?? ''}`, {
    hint: 'Correct its YAML first.',
  })
}

/** Names in `aliases` that the note does not have yet are added. */
function withAliases(text: string, names: readonly string[], into: string): string {
  const data = propertiesOf(text)
  const key = keyIn(data, 'aliases') ?? 'aliases'
  const known = new Set([into, ...items(key, data[key]).map(String)].map(foldCase))
  const fresh = names.filter((name) => {
    const isNew = !known.has(foldCase(name))
    known.add(foldCase(name))
    return isNew
  })
  return fresh.length === 0 ? text : editFrontmatter(text, { add: one(key, fresh) })
}

/** Property names do not differ by case; `tag` is `tags` and `alias` is `aliases`. */
function keyIn(data: Record<string, unknown>, wanted: string): string | undefined {
  const names = Object.keys(data)
  const isSameName = (name: string) => foldCase(familyOf(name)) === foldCase(familyOf(wanted))
  return names.find((name) => name === wanted) ?? names.find(isSameName)
}

const familyOf = (name: string): string =>
  /^(?:tag|alias)$/i.test(name) ? { t: 'tags', a: 'aliases' }[name[0]?.toLowerCase() === 't' ? 't' : 'a'] : name

const isList = (key: string, value: unknown): boolean =>
  Array.isArray(value) || /^(?:tags|aliases)$/i.test(familyOf(key))

function items(key: string, value: unknown): unknown[] {
  if (isEmpty(value)) return []
  if (Array.isArray(value)) return value
  const family = familyOf(key).toLowerCase()
  if (typeof value !== 'string' || (family !== 'tags' && family !== 'aliases')) return [value]
  const parts = value.split(family === 'tags' ? /[\s,]+/ : ',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function freeName(data: Record<string, unknown>, name: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name} ${count}`
    if (keyIn(data, free) === undefined) return free
  }
}

function one<Value>(key: string, value: Value): NonNullable<FrontmatterEdit['set']> & Record<string, Value> {
  const object = Object.create(null) as Record<string, Value>
  object[key] = value
  return object
}
