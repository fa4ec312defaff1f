import * as z from 'zod'
import { Failure } from '../../errors.js'
import { keptText, type Restructure } from '../../index/index.js'
import { editFrontmatter, scanNote } from '../../markdown/index.js'
import { changeSet, foldCase, type NoteFile, type NotePath } from '../../vault/index.js'
import { counted, shortText } from '../result-format.js'
import { defineTool, type Plan } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'
import { changeNotes } from './change-notes.js'
import { textNotices } from './executable-blocks.js'
import { findNoteToEdit } from './find-note.js'
import { propertiesOf } from './merge-properties.js'
import { moveNotices, notRewritten } from './move-notices.js'
import { findSection } from './note-parts.js'
import { checkText } from './written-text.js'

export const renameInNotes = defineTool({
  name: 'rename_in_notes',
  title: 'Rename in notes',
  description: 'Rename a heading, block id or alias of a note with all links to it, or a tag or property everywhere.',
  activity: 'Renaming in notes',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  timeoutMs: 600_000,
  input: z.object({
    kind: z.enum(['heading', 'block', 'alias', 'tag', 'property']),
    from: z.string(),
    to: z.string(),
    path: z.string().optional().describe('For a tag or property: all notes if omitted'),
  }),
  example: { kind: 'heading', path: 'Garden/Compost.md', from: 'When it smells', to: 'Bad smells' },
  output: z.object({
    kind: z.string(),
    from: z.string(),
    to: z.string(),
    path: z.string().optional(),
    notes: z.number(),
    links: z.number(),
    not_changed: z.array(z.string()).optional(),
  }),

  async plan({ kind, from, to: wanted, path }, context): Promise<Plan<Output>> {
    const to = checkText('to', wanted).trim()
    if (to === '' || /[\r\n]/.test(to)) throw validationFailure('rename_in_notes', 'to: one line of text is needed')
    if (kind === 'tag' || kind === 'property') return renameEverywhere({ kind, from, to, path }, context)
    if (path === undefined) throw validationFailure('rename_in_notes', `path: name the note with the ${kind}`)
    const file = await findNoteToEdit(path, context)
    const { session, signal, touchesHidden } = context
    const change = { heading: renamedHeading, block: renamedBlock, alias: renamedAlias }[kind](file, from, to)
    const plan = await context.index.planRestructure(change.restructure, {
      signal,
      ...(touchesHidden && { touchesHidden }),
    })
    if (plan.indistinct.length > 0) {
      throw new Failure('conflict', `Links could not tell the headings of ${file.path} apart then.`, {
        hint: 'Choose another text.',
      })
    }
    const [text = ''] = plan.texts
    const { impact } = plan
    const left = notRewritten(impact)
    const title = `Rename the ${kind === 'block' ? 'block id' : kind} “${shortText(change.from, 60)}” of ${file.path} to “${shortText(to, 60)}”`
    const edit = { kind: 'edit' as const, path: file.path, before: file.hash, after: new TextEncoder().encode(text) }
    return {
      changes: changeSet(title, [edit, ...plan.changes], { session }),
      output: {
        kind,
        from: change.from,
        to,
        path: file.path,
        notes: 1 + plan.changes.length,
        links: impact.links,
        ...(left.length > 0 && { not_changed: left }),
      },
      notices: [...textNotices(file.path, file.text, text), ...moveNotices(impact)],
      impact,
      isAboutWholeVault: true,
    }
  },

  render: ({ kind, from, to, notes, links, not_changed = [] }) => {
    const left = not_changed.map((each) => `\n- ${each}`)
    const updated = links > 0 ? `, ${counted(links, 'link')} updated` : ''
    return `Renamed the ${kind} ${from} to ${to} in ${counted(notes, 'note')}${updated}.${left.join('')}`
  },
  notesIn: ({ path }) => (path === undefined ? [] : [path as NotePath]),
  summary: ({ notes, links }) => `${counted(notes, 'note')} changed, ${counted(links, 'link')} updated`,
})

interface Output extends Record<string, unknown> {
  kind: string
  from: string
  to: string
  path?: string
  notes: number
  links: number
  not_changed?: string[]
}

/** Tags and properties are in many notes and no link names them. */
async function renameEverywhere(
  { kind, from, to, path }: { kind: 'tag' | 'property'; from: string; to: string; path: string | undefined },
  context: ToolContext,
): Promise<Plan<Output>> {
  const operation = { op: `rename_${kind}`, [kind]: from, to }
  const input = { ...(path === undefined ? { where: 'true' } : { paths: [path] }), operations: [operation] }
  const plan = (await changeNotes.plan?.(input, context)) as Plan<{ notes: number; not_changed?: string[] }>
  const outputOf = ({ notes, not_changed }: { notes: number; not_changed?: string[] }): Output => ({
    kind,
    from,
    to,
    ...(path !== undefined && { path }),
    notes,
    links: 0,
    ...(not_changed && { not_changed }),
  })
  const { inPart, ...rest } = plan
  return {
    ...rest,
    output: outputOf(plan.output),
    // A part of the notes can be approved, and a rule is the whole call here.
    ...(inPart && { inPart: async (part) => outputOf(await inPart(part)) }),
    changes: withoutRules(plan.changes),
  }
}

const withoutRules = ({ rules: _, ...set }: Plan['changes']): Plan['changes'] => set

interface Renaming {
  /** The old name as written in the note. */
  from: string
  restructure: Restructure
}

function renamedHeading(file: NoteFile, from: string, to: string): Renaming {
  const { path, text } = file
  const { heading } = findSection(path, text, from)
  const name = to.replace(/^#{1,6}\s+/, '')
  const at = text.indexOf(heading.text, heading.start)
  if (heading.text === '' || at < 0 || at + heading.text.length > heading.end) {
    throw new Failure('invalid-input', 'A heading on several lines can only be renamed by editing the note.')
  }
  const edit = { start: at, end: at + heading.text.length, text: name }
  const renamed = text.slice(0, edit.start) + name + text.slice(edit.end)
  const isRead = scanNote(renamed).headings.some(
    ({ start, level, text: words }) => start === heading.start && level === heading.level && words === name,
  )
  if (!isRead) throw new Failure('invalid-input', `“${shortText(to, 60)}” cannot be the text of a heading.`)
  return { from: heading.text, restructure: restructured(file, edit) }
}

function renamedBlock(file: NoteFile, from: string, to: string): Renaming {
  const { path, text } = file
  const [id, name] = [from, to].map((each) => each.trim().replace(/^#?\^/, '')) as [string, string]
  if (!/^[A-Za-z0-9-]+$/.test(name)) {
    throw validationFailure('rename_in_notes', 'to: a block id has letters, digits and hyphens')
  }
  const { blocks } = scanNote(text)
  const block = blocks.find((each) => each.id.toLowerCase() === id.toLowerCase())
  if (block === undefined) {
    throw new Failure('not-found', `${path} has no block ^${shortText(id, 50)}.`, {
      hint:
        blocks.length === 0
          ? 'It has no block ids.'
          : `It has: ${blocks
              .slice(0, 20)
              .map((each) => `^${each.id}`)
              .join(', ')}.`,
    })
  }
  if (blocks.some((each) => each !== block && each.id.toLowerCase() === name.toLowerCase())) {
    throw new Failure('conflict', `${path} already has a block ^${name}.`)
  }
  return { from: block.id, restructure: restructured(file, { start: block.start + 1, end: block.end, text: name }) }
}

/** Links that show the alias show the new one. */
function renamedAlias(file: NoteFile, from: string, to: string): Renaming {
  const { path, text } = file
  const data = propertiesOf(text, path)
  const isAlias = (name: string) => foldCase(name.trim()) === foldCase(from.trim())
  for (const [key, value] of Object.entries(data)) {
    if (!/^alias(?:es)?$/i.test(key)) continue
    const items: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value]
    const at = items.findIndex((item) => isAlias(String(item)))
    if (at < 0) continue
    const renamed = items.map((item, index) => (index === at ? to : typeof item === 'string' ? item.trim() : item))
    const edited = editFrontmatter(text, { set: { [key]: Array.isArray(value) ? renamed : renamed.join(', ') } })
    const [end, newEnd] = [text, edited].map((each) => scanNote(each).frontmatter?.end ?? 0) as [number, number]
    const restructure = restructured(file, { start: 0, end, text: edited.slice(0, newEnd) })
    return { from: String(items[at]).trim(), restructure: { ...restructure, shown: { path, from, to } } }
  }
  throw new Failure('not-found', `${path} has no alias ${JSON.stringify(shortText(from, 60))}.`, {
    modelHint: 'Read its properties with get_note_metadata.',
    tools: ['get_note_metadata'],
  })
}

const restructured = (file: NoteFile, edit: { start: number; end: number; text: string }): Restructure => ({
  files: [file],
  layouts: [{ path: file.path, segments: keptText(file.path, file.text, {}, [edit]) }],
})
