import * as z from 'zod'
import { Failure } from '../../errors.js'
import { isRecord } from '../../is-record.js'
import { editFrontmatter, readFrontmatter } from '../../markdown/index.js'
import { changeSet, notePath } from '../../vault/index.js'
import { defineTool } from '../tool.js'
import { noteToChange } from './note-to-change.js'
import { textAfter } from './text-after.js'
import { textNotices } from './text-notices.js'

const mostProperties = 100
const mostItems = 1000

type Properties = Record<string, unknown>

export const updateFrontmatter = defineTool({
  name: 'update_frontmatter',
  title: 'Update properties',
  description:
    "Set, remove or extend properties in a note's YAML frontmatter without touching the rest of the note. Use add and remove for items of a list such as tags.",
  activity: 'Updating properties',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  input: z.object({
    path: z.string(),
    updates: properties('Property: new value; null removes it', isRecord).optional(),
    add: properties('Property: [items to add]', isRecordOfLists).optional(),
    remove: properties('Property: [items to remove]', isRecordOfLists).optional(),
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
      throw new Failure(
        'invalid-input',
        'Tool update_frontmatter validation failed: updates: name a property to change',
      )
    }
    // Each edit reads the whole block again, and reading takes more than its share of time as the block grows.
    const items = [add, remove].flatMap((each) => Object.values(each).flat()).length
    if (named.length > mostProperties || items > mostItems) {
      throw new Failure('too-large', `At most ${mostProperties} properties and ${mostItems} list items at once.`, {
        hint: 'Make several calls.',
      })
    }
    const file = await noteToChange(wanted, context)
    const { path } = file
    const text = editFrontmatter(file.text, {
      set: pick(updates, (value) => value !== null),
      remove: Object.keys(updates).filter((key) => updates[key] === null),
      add: tagItems(add as Record<string, unknown[]>, (tag) => [tag]),
      drop: tagItems(remove as Record<string, unknown[]>, (tag) => [tag, `#${tag}`]),
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
      inPart: (part) => ({ path, changed, properties: propertiesNow(textAfter(part, path) ?? file.text, named) }),
      notices: textNotices(path, file.text, text),
    }
  },

  render: ({ path, changed, properties }) =>
    changed
      ? `Frontmatter updated for ${path}: ${JSON.stringify(properties)}`
      : `Nothing to change: the frontmatter of ${path} already says ${JSON.stringify(properties)}`,
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

/** Tags are written without `#` in frontmatter, and often said with it. */
function tagItems(lists: Record<string, unknown[]>, spellings: (tag: string) => string[]): Record<string, unknown[]> {
  const items = Object.create(null) as Record<string, unknown[]>
  for (const key of Object.keys(lists)) {
    items[key] = /^tags?$/i.test(key)
      ? lists[key].flatMap((item) => (typeof item === 'string' ? spellings(item.replace(/^#/, '')) : [item]))
      : lists[key]
  }
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
