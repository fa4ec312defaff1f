import * as z from 'zod'
import { Failure } from '../../errors.js'
import { keptText, type NoteLayout, type Segment } from '../../index/index.js'
import { labelsIn, scanNote } from '../../markdown/index.js'
import {
  type Change,
  changeSet,
  foldPath,
  isNote,
  type NoteFile,
  type NotePath,
  newNotePath,
} from '../../vault/index.js'
import { counted, shortText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { textNotices } from './executable-blocks.js'
import { findNoteToEdit, requireFreePath } from './find-note.js'
import { mergeProperties, type PropertyConflict, propertiesOf } from './merge-properties.js'
import { moveNotices, notRewritten } from './move-notices.js'
import { lineBreakOf } from './written-text.js'

const mostNotes = 200

export const mergeNotes = defineTool({
  name: 'merge_notes',
  title: 'Merge notes',
  description: 'Append notes to another note and redirect all links to it. They go to the trash.',
  activity: 'Merging notes',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  timeoutMs: 120_000,
  input: z.object({
    from: z.array(z.string()).min(1).max(mostNotes),
    into: z.string().describe('Created if missing'),
    heading: z.boolean().optional().describe('false: only a line between the texts'),
  }),
  example: { from: ['Garden/Slugs.md'], into: 'Garden/Bees and Other Visitors.md' },
  inBrief: ['from', 'into'],
  output: z.object({
    path: z.string(),
    merged: z.array(z.string()),
    links: z.number(),
    notes: z.number(),
    conflicts: z.array(z.string()).optional().describe('Properties with two values, and the name of the second one'),
    renamed: z.array(z.string()).optional().describe('Headings, block ids and footnotes that got another name'),
    not_rewritten: z.array(z.string()).optional(),
  }),

  async plan({ from, into, heading = true }, context) {
    const target = await findTarget(into, context)
    const sources = await findSources(from, target.path, context)
    const { session, signal, touchesHidden } = context
    const options = { signal, ...(touchesHidden && { touchesHidden }) }
    const merger = new Merger(target, sources, heading)
    let plan = await context.index.planRestructure(merger.restructure(), options)
    for (let round = 0; plan.indistinct.length > 0 && round < 3; round++) {
      merger.renameHeadings(plan.indistinct)
      plan = await context.index.planRestructure(merger.restructure(), options)
    }
    if (plan.indistinct.length > 0)
      throw new Failure('conflict', 'Links could not tell the headings of these notes apart.')

    const { text, conflicts } = merger.withProperties(plan.texts)
    const after = new TextEncoder().encode(text)
    const targetChange: Change = isFile(target)
      ? { kind: 'edit', path: target.path, before: target.hash, after }
      : { kind: 'create', path: target.path, after }
    const removals = sources.map(({ path, hash }): Change => ({ kind: 'trash', path, before: hash }))
    const { impact } = plan
    const left = notRewritten(impact)
    const title = `Merge ${sources.length === 1 ? sources[0]?.path : counted(sources.length, 'note')} into ${target.path}`
    const shownConflicts = conflicts.map(({ property, keptAs }) => `${property}: the other value is kept as ${keptAs}`)
    return {
      changes: changeSet(title, [targetChange, ...plan.changes, ...removals], { session }),
      output: {
        path: target.path,
        merged: sources.map(({ path }) => path),
        links: impact.links,
        notes: impact.notes,
        ...(shownConflicts.length > 0 && { conflicts: shownConflicts }),
        ...(merger.renamed.length > 0 && { renamed: merger.renamed }),
        ...(left.length > 0 && { not_rewritten: left }),
      },
      notices: [
        ...shownConflicts.map((text) => ({ kind: 'other' as const, text })),
        ...textNotices(target.path, target.text, text),
        ...moveNotices(impact),
      ],
      impact,
      isAboutWholeVault: true,
    }
  },

  render: ({ path, merged, links, conflicts = [], renamed = [], not_rewritten = [] }) => {
    const rest = [...conflicts, ...renamed, ...not_rewritten].slice(0, 20).map((each) => `\n- ${each}`)
    return `Merged ${merged.join(', ')} into ${path}. Updated ${counted(links, 'link')}.${rest.join('')}`
  },
  notesIn: ({ path }) => [path as NotePath],
  summary: ({ merged, path, links }) =>
    `merged ${counted(merged.length, 'note')} into ${path}, ${counted(links, 'link')} updated`,
})

type Target = NoteFile | { path: NotePath; text: '' }

const isFile = (target: Target): target is NoteFile => 'hash' in target

async function findTarget(into: string, context: ToolContext): Promise<Target> {
  try {
    return await findNoteToEdit(into, context)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not-found') throw error
  }
  const path = newNotePath(isNote(into) ? into : `${into}.md`)
  await requireFreePath(path, context)
  return { path, text: '' }
}

async function findSources(from: readonly string[], target: NotePath, context: ToolContext): Promise<NoteFile[]> {
  const found = new Map<string, NoteFile>()
  for (const wanted of from) {
    const file = await findNoteToEdit(wanted, context)
    if (foldPath(file.path) === foldPath(target)) {
      throw new Failure('invalid-input', `${target} cannot be merged into itself.`)
    }
    found.set(file.path, file)
  }
  return [...found.values()]
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

interface TextEdit {
  start: number
  end: number
  text: string
}

/** The text of the merged note, in which names that several of the notes use stay apart. */
class Merger {
  /** Headings, block ids and footnotes that got another name. */
  renamed: string[] = []
  private readonly headings = new Map<NotePath, TextEdit[]>()
  private readonly headingNames: string[] = []

  constructor(
    private readonly target: Target,
    private readonly sources: readonly NoteFile[],
    private readonly hasHeadings: boolean,
  ) {
    for (const { path, text } of [target, ...sources]) propertiesOf(text, path)
  }

  /** Headings that links could not tell apart get the name of their note. */
  renameHeadings(headings: readonly { path: NotePath; start: number }[]): void {
    for (const { path, start } of headings) {
      const file = [this.target, ...this.sources].find((each) => each.path === path)
      const heading = file && scanNote(file.text).headings.find((each) => each.start === start)
      if (file === undefined || heading === undefined) continue
      const own = this.headings.get(path) ?? []
      const found = file.text.indexOf(heading.text, heading.start)
      const at = found + heading.text.length
      if (found < 0 || own.some((edit) => edit.start === at)) continue
      const text = ` (${nameOf(path)}${own.length === 0 ? '' : ` ${own.length + 1}`})`
      this.headingNames.push(`${path}: heading “${shortText(heading.text, 80)}${text}”`)
      this.headings.set(
        path,
        [...own, { start: at, end: at, text }].sort((a, b) => a.start - b.start),
      )
    }
  }

  restructure() {
    this.renamed = [...this.headingNames]
    const { target, sources } = this
    const segments: Segment[] = keptText(target.path, target.text, {}, this.headings.get(target.path))
    const names = new UsedNames(target.text)
    let isBlank = target.text.slice(bodyStart(target.text)).trim() === ''
    let last = target.text
    const apart: NoteLayout[] = []
    for (const source of sources) {
      const { path, text } = source
      const start = bodyStart(text)
      apart.push({
        path: target.path,
        segments: keptText(path, text, { start: text.startsWith('\ufeff') ? 1 : 0, end: start }),
        isApart: true,
      })
      const edits = [...names.editsFor(path, text, this.renamed), ...(this.headings.get(path) ?? [])]
      if (text.slice(start).trim() === '') continue
      const lineBreak = lineBreakOf(target.text === '' ? text : target.text)
      if (last !== '' && !last.endsWith('\n')) segments.push({ text: lineBreak })
      if (!isBlank && !/\n\r?\n$/.test(last)) segments.push({ text: lineBreak })
      const opensWithHeading = openingHeading(text, start)
      if (this.hasHeadings && !opensWithHeading) {
        const blank = /^\r?\n/.test(text.slice(start)) ? '' : lineBreak
        segments.push({ text: `# ${nameOf(path)}${lineBreak}${blank}`, opens: path })
      } else if (!this.hasHeadings && !isBlank) segments.push({ text: `---${lineBreak}${lineBreak}` })
      const [first, ...rest] = keptText(
        path,
        text,
        { start },
        edits.sort((a, b) => a.start - b.start),
      )
      if (first !== undefined) segments.push(opensWithHeading ? { ...first, opens: path } : first, ...rest)
      last = text
      isBlank = false
    }
    return {
      files: [...(isFile(target) ? [target] : []), ...sources],
      layouts: [{ path: target.path, segments }, ...apart],
      replaced: new Map(sources.map(({ path }) => [path, target.path])),
    }
  }

  /** The merged text with the properties of all notes. The first text is that of the note, the others are properties. */
  withProperties([text = '', ...apart]: readonly string[]): { text: string; conflicts: PropertyConflict[] } {
    const conflicts: PropertyConflict[] = []
    const into = nameOf(this.target.path)
    for (const [at, { path }] of this.sources.entries()) {
      const data = propertiesOf(apart[at] ?? '', path)
      const merged = mergeProperties(text, { data, name: nameOf(path), aliases: [nameOf(path)], into })
      conflicts.push(...merged.conflicts)
      text = merged.text
    }
    return { text, conflicts }
  }
}

const bodyStart = (text: string): number => scanNote(text).frontmatter?.end ?? (text.startsWith('\ufeff') ? 1 : 0)

/** True if the text begins with a heading of level 1. */
function openingHeading(text: string, start: number): boolean {
  const [heading] = scanNote(text).headings
  return heading?.level === 1 && heading.text !== '' && text.slice(start, heading.start).trim() === ''
}

/** Block ids, footnotes and link references in use so far. */
class UsedNames {
  private readonly blocks: Set<string>
  private readonly labels: Set<string>
  private readonly definitions: Set<string>

  constructor(text: string) {
    const scan = scanNote(text)
    const labels = labelsIn(text, scan)
    this.blocks = new Set(scan.blocks.map(({ id }) => id.toLowerCase()))
    this.labels = new Set(labels.map(labelKey))
    this.definitions = new Set(labels.filter(({ definition }) => definition).map(labelKey))
  }

  /** Gives new names to those of a note that are in use, and adds its names. */
  editsFor(path: NotePath, text: string, renamed: string[]): TextEdit[] {
    const scan = scanNote(text)
    const edits: TextEdit[] = []
    const [blocksBefore, labels] = [new Set(this.blocks), labelsIn(text, scan)]
    for (const { id } of scan.blocks) this.blocks.add(id.toLowerCase())
    for (const { id, start, end } of scan.blocks) {
      if (!blocksBefore.has(id.toLowerCase())) continue
      const free = freeName(id, (name) => this.blocks.has(name.toLowerCase()))
      this.blocks.add(free.toLowerCase())
      edits.push({ start: start + 1, end, text: free })
      renamed.push(`${path}: ^${id} is ^${free}`)
    }
    const ownDefinitions = new Set(labels.filter(({ definition }) => definition).map(labelKey))
    const names = new Map<string, string>()
    const known = new Set([...this.labels, ...labels.map(labelKey)])
    for (const label of labels) {
      const key = labelKey(label)
      const isTaken = this.labels.has(key) && (this.definitions.has(key) || ownDefinitions.has(key))
      if (!isTaken) continue
      let name = names.get(key)
      if (name === undefined) {
        name = freeName(label.name, (each) => known.has(labelKey({ kind: label.kind, key: each.toLowerCase() })))
        known.add(labelKey({ kind: label.kind, key: name.toLowerCase() }))
        names.set(key, name)
        const mark = label.kind === 'footnote' ? '^' : ''
        renamed.push(`${path}: [${mark}${shortText(label.name, 40)}] is [${mark}${shortText(name, 40)}]`)
      }
      edits.push({ start: label.start, end: label.end, text: name })
    }
    for (const label of labels) {
      const now = names.get(labelKey(label))
      const key = now === undefined ? labelKey(label) : labelKey({ kind: label.kind, key: now.toLowerCase() })
      this.labels.add(key)
      if (label.definition !== undefined) this.definitions.add(key)
    }
    return edits
  }
}

const labelKey = ({ kind, key }: { kind: string; key: string }): string => `${kind} ${key}`

/** `note` becomes `note-2`, and `1` the next free number. */
function freeName(name: string, isTaken: (name: string) => boolean): string {
  const isNumber = /^\d{1,9}$/.test(name)
  for (let count = isNumber ? Number(name) + 1 : 2; ; count++) {
    const free = isNumber ? String(count) : `${name}-${count}`
    if (!isTaken(free)) return free
  }
}
