import * as z from 'zod'
import { Failure } from '../../errors.js'
import { isRecord } from '../../is-record.js'
import { editFrontmatter, readFrontmatter } from '../../markdown/index.js'
import { changeSet, foldCase, notePath } from '../../vault/index.js'
import { defineTool } from '../tool.js'
import { validationFailure } from '../tool-input.js'
import { textNotices } from './executable-blocks.js'
import { findNoteToEdit } from './find-note.js'
import { textAfterChanges } from './written-text.js'

const mostProperties = 100
const mostItems = 1000

type Properties = Record<string, unknown>

export const updateFrontmatter = defineTool({
  name: 'update_frontmatter',
  title: 'Update properties',
  description:
    'Change properties of a note, in its frontmatter. Use add and remove for items of a list such as tags. The rest of the note stays as it is.',
  activity: 'Updating properties',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  input: z.object({
    path: z.string(),
    updates: properties('{property: value}; null removes it', isRecord).optional(),
    add: properties('{property: [items]}', isRecordOfLists).optional(),
    remove: properties('{property: [items]}', isRecordOfLists).optional(),
  }),
  example: { path: 'Garden/Tomatoes.md', updates: { status: 'sown' }, add: { tags: ['summer'] } },
  output: z.object({
    path: z.string(),
    changed: z.boolean(),
    properties: z.record(z.string(), z.unknown()).describe('The named properties as they are now; null where removed'),
  }),

  async plan({ path: wanted, updates = {}, add = {}, remove = {} }, context) {
    const named = [updates, add, remove].flatMap((each) => Object.keys(each))
    if (named.length === 0) {
      throw validationFailure('update_frontmatter', 'updates: name at least one property to change')
    }
    // Each edit reads the whole block again, and reading takes more than its share of time as the block grows.
    const items = [add, remove].flatMap((each) => Object.values(each).flat()).length
    if (named.length > mostProperties || items > mostItems) {
      throw new Failure('too-large', `At most ${mostProperties} properties and ${mostItems} list items at once.`, {
        hint: 'Make several calls.',
      })
    }
    const file = await findNoteToEdit(wanted, context)
    const { path } = file
    const tagsNow = tagsIn(readFrontmatter(file.text)?.data)
    const text = editFrontmatter(file.text, {
      set: withoutRepeatedTags(pick(updates, (value) => value !== null)),
      remove: Object.keys(updates).filter((key) => updates[key] === null),
      add: withoutRepeatedTags(add, tagsNow) as Record<string, unknown[]>,
      drop: withSpellings(remove as Record<string, unknown[]>, tagsNow),
    })
    const changed = text !== file.text
    const output = { path, changed, properties: propertiesNow(text, named) }
    const { session } = context
    if (!changed) return { changes: changeSet(`Leave ${path} as it is`, [], { session }), output, effects: [] }
    return {
      changes: changeSet(
        `Update ${listed(named)} in ${path}`,
        [{ kind: 'edit', path, before: file.hash, after: new TextEncoder().encode(text) }],
        { session },
      ),
      output,
      inPart: (part) => ({
        path,
        changed,
        properties: propertiesNow(textAfterChanges(part, path) ?? file.text, named),
      }),
      notices: textNotices(path, file.text, text),
    }
  },

  render: ({ path, changed, properties }) =>
    changed
      ? `Frontmatter updated for ${path}: ${JSON.stringify(properties)}`
      : `Nothing to change: the frontmatter of ${path} already has ${JSON.stringify(properties)}`,
  notesIn: ({ path }) => [notePath(path)],
  summary: ({ path, changed }) => (changed ? `properties of ${path} updated` : `properties of ${path} left`),
})

/** A plain object as JSON gives it. Zod's own records pass over `__proto__`, which here is a name like any other. */
function properties(description: string, accepts: (value: unknown) => boolean) {
  return z
    .custom<Properties>(accepts, { error: `expected an object, ${description}` })
    .meta({ type: 'object', description })
}

function isRecordOfLists(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).every((key) => Array.isArray(value[key]))
}

function pick(values: Properties, wanted: (value: unknown) => boolean): Properties {
  const picked = Object.create(null) as Properties
  for (const key of Object.keys(values)) if (wanted(values[key])) picked[key] = values[key]
  return picked
}

const namesTags = (property: string): boolean => /^tags?$/i.test(property)

/** Tags are the same in any capitals, with or without `#`. */
const tagKey = (tag: string): string => foldCase(tag.replace(/^#/, ''))

/** The tags of a note's frontmatter as they are written. */
function tagsIn(data: Properties | null | undefined): string[] {
  const values = Object.keys(data ?? {}).flatMap((key) => (namesTags(key) ? data?.[key] : []))
  return values.flatMap((value) => (typeof value === 'string' ? (value.match(/[^\s,]+/g) ?? []) : []))
}

/** Lists of tags without `#`, without a tag that is there already or that comes twice. */
function withoutRepeatedTags(lists: Properties, there: readonly string[] = []): Properties {
  const items = Object.create(null) as Properties
  const known = new Set(there.map(tagKey))
  const isNew = (item: unknown) => {
    if (typeof item !== 'string') return true
    if (known.has(tagKey(item))) return false
    known.add(tagKey(item))
    return true
  }
  for (const key of Object.keys(lists)) {
    const value = lists[key]
    items[key] =
      namesTags(key) && Array.isArray(value)
        ? value.filter(isNew).map((item: unknown) => (typeof item === 'string' ? item.replace(/^#/, '') : item))
        : value
  }
  return items
}

/** Tags to remove as the note spells them. */
function withSpellings(lists: Record<string, unknown[]>, there: readonly string[]): Record<string, unknown[]> {
  const items = Object.create(null) as Record<string, unknown[]>
  const spelled = (item: unknown) =>
    typeof item === 'string' ? [item, ...there.filter((tag) => tagKey(tag) === tagKey(item))] : [item]
  for (const [key, list] of Object.entries(lists)) items[key] = namesTags(key) ? list.flatMap(spelled) : list
  return items
}

function listed(named: readonly string[]): string {
  const names = [...new Set(named)]
  return names.length <= 5 ? names.join(', ') : `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`
}

function propertiesNow(text: string, named: readonly string[]): Properties {
  const data = readFrontmatter(text)?.data
  const now = Object.create(null) as Properties
  for (const key of named) now[key] = data?.[key] ?? null
  return now
}
