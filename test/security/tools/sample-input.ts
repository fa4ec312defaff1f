import { inputSchema, type JsonSchema, type Tool } from '../../../src/core/tools/index.js'

/** A place for text in a tool's arguments: `path`, `filter.folder`, `filePaths.0`. */
export type Field = string[]

/** Arguments that a tool accepts, made from its schema alone, so that a new tool is covered by being there. */
export function sampleInput(tool: Tool): Record<string, unknown> {
  return { ...(sample(inputSchema(tool), []) as Record<string, unknown>), ...alsoNeeded[tool.name] }
}

/** Inputs that a tool needs and its schema cannot express. `samples.test.ts` fails if one is missing. */
const alsoNeeded: Record<string, Record<string, unknown>> = {
  change_notes: { where: 'true', operations: [{ op: 'set_property', property: 'word', value: 1 }] },
  edit_note: { old_text: 'Note', new_text: 'Changed' },
  merge_notes: { from: ['Other.md'], into: 'Note.md' },
  rename_in_notes: { kind: 'property', from: 'word', to: 'term' },
  split_note: { path: 'Note.md', lines: '6' },
  update_frontmatter: { updates: { word: 1 } },
  update_tasks: { tasks: ['Note.md:1'], state: 'done' },
  view_file: { path: 'Picture.png' },
}

/** Every place in a tool's arguments where text can stand, also the optional ones. */
export function textFields(tool: Tool): Field[] {
  return fieldsOf(inputSchema(tool), [])
}

/** Those that name something in the vault. */
export function pathFields(tool: Tool): Field[] {
  return textFields(tool).filter((field) => /path|folder|file/i.test(field.join('.')))
}

/** The arguments with one text in its place; what is missing on the way is made. */
export function withText(input: Record<string, unknown>, field: Field, value: unknown): Record<string, unknown> {
  const copy = structuredClone(input)
  let at: Record<string, unknown> = copy
  for (const [depth, name] of field.slice(0, -1).entries()) {
    at[name] ??= field[depth + 1] === '0' ? [] : {}
    at = at[name] as Record<string, unknown>
  }
  at[field[field.length - 1]] = value
  return copy
}

function sample(schema: JsonSchema, field: Field): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const choice = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined
  if (choice !== undefined) return sample(choice[0], field)
  switch (schema.type) {
    case 'object': {
      const required = (schema.required ?? []) as string[]
      const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
      return Object.fromEntries(required.map((name) => [name, sample(properties[name], [...field, name])]))
    }
    case 'array':
      return [sample((schema.items ?? { type: 'string' }) as JsonSchema, [...field, '0'])]
    case 'number':
    case 'integer':
      return Math.max(1, Number(schema.minimum ?? 1))
    case 'boolean':
      return true
    default:
      return sampleText(field.join('.'))
  }
}

/** Words that make sense for a field of that name, in a vault with a note `Note.md`. */
function sampleText(name: string): string {
  if (/new_?path/i.test(name)) return 'New name.md'
  if (/path|file/i.test(name)) return 'Note.md'
  if (/url/i.test(name)) return 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  if (/expression/i.test(name)) return 'last week'
  if (/time/i.test(name)) return '2024-01-31 14:30'
  return 'word'
}

function fieldsOf(schema: JsonSchema, field: Field): Field[] {
  const choices = (schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined
  if (choices !== undefined) return choices.flatMap((choice) => fieldsOf(choice, field))
  if (schema.type === 'array') return fieldsOf((schema.items ?? {}) as JsonSchema, [...field, '0'])
  if (schema.type === 'object') {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    // An object of the caller's own making: any name will do.
    if (properties.length === 0 && field.length > 0) return [[...field, 'word']]
    return properties.flatMap(([name, own]) => fieldsOf(own, [...field, name]))
  }
  const isText = schema.type === 'string' || schema.type === undefined
  return isText && schema.enum === undefined ? [field] : []
}
