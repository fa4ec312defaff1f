import * as z from 'zod'
import { Failure } from '../../errors.js'
import { keptText, type Segment } from '../../index/index.js'
import { labelsIn, scanNote } from '../../markdown/index.js'
import { type Change, changeSet, folderOf, foldPath, isNote, type NotePath, newNotePath } from '../../vault/index.js'
import { counted, cutText } from '../result-format.js'
import { defineTool } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'
import { textNotices } from './executable-blocks.js'
import { findNoteToEdit, requireFreePath } from './find-note.js'
import { moveNotices, notRewritten } from './move-notices.js'
import { checkSelection, selectRange } from './note-parts.js'
import { lineBreakOf } from './written-text.js'

export const splitNote = defineTool({
  name: 'split_note',
  title: 'Split note',
  description: 'Move a section, block or lines to a new note and update all links to it.',
  activity: 'Splitting a note',
  category: 'file',
  effects: ['writes'],
  needsVault: true,
  timeoutMs: 120_000,
  input: z.object({
    path: z.string(),
    heading: z.string().optional(),
    block: z.string().optional(),
    lines: z.string().optional(),
    to: z.string().optional().describe('Name, Folder/ or path; default: the heading'),
    leave: z.enum(['link', 'embed', 'nothing']).optional(),
  }),
  example: { path: 'Garden/Compost.md', heading: 'Worms' },
  inBrief: ['path', 'heading', 'to'],
  output: z.object({
    path: z.string(),
    new_path: z.string(),
    lines: z.string(),
    links: z.number(),
    notes: z.number(),
    not_rewritten: z.array(z.string()).optional(),
  }),

  async plan({ path: wanted, to, leave = 'link', ...selection }, context) {
    const file = await findNoteToEdit(wanted, context)
    checkSelection(selection, 'split_note')
    if (Object.values(selection).every((each) => each === undefined)) {
      throw validationFailure('split_note', 'heading: name a heading, a block or lines')
    }
    const { path, text } = file
    const range = selectRange(path, text, selection)
    const extracted = withoutBlankEnds(text, range)
    requireText(path, text, extracted)
    const target = await newPath(to, { path, text: text.slice(extracted.start, extracted.end), ...selection }, context)
    const { session, signal, touchesHidden } = context
    const { rest, part } = splitText(path, text, extracted, target, leave)
    const wantedChange = {
      files: [file],
      layouts: [
        { path, segments: rest },
        { path: target, segments: part },
      ],
    }
    const plan = await context.index.planRestructure(wantedChange, { signal, ...(touchesHidden && { touchesHidden }) })
    const [headingAt] = plan.indistinct
    if (headingAt !== undefined) {
      const name = scanNote(text).headings.find(({ start }) => start === headingAt.start)?.text ?? ''
      throw new Failure('conflict', `Links could not tell the heading “${name}” from another one then.`, {
        hint: 'Rename one of these headings first.',
      })
    }
    const encode = (index: number) => new TextEncoder().encode(plan.texts[index] ?? '')
    const changes: Change[] = [
      { kind: 'create', path: target, after: encode(1) },
      { kind: 'edit', path, before: file.hash, after: encode(0) },
      ...plan.changes,
    ]
    const { impact } = plan
    const left = notRewritten(impact)
    return {
      changes: changeSet(`Move part of ${path} to ${target}`, changes, { session }),
      output: {
        path,
        new_path: target,
        lines: range.lines.join('-'),
        links: impact.links,
        notes: impact.notes,
        ...(left.length > 0 && { not_rewritten: left }),
      },
      notices: [...textNotices(target, '', plan.texts[1] ?? ''), ...moveNotices(impact)],
      impact,
      isAboutWholeVault: true,
    }
  },

  render: ({ path, new_path, lines, links, not_rewritten = [] }) => {
    const rest = not_rewritten.slice(0, 20).map((each) => `\n- ${each}`)
    return `Moved lines ${lines} of ${path} to ${new_path}. Updated ${counted(links, 'link')}.${rest.join('')}`
  },
  notesIn: ({ path, new_path }) => [path as NotePath, new_path as NotePath],
  summary: ({ path, new_path, links }) => `split ${path} to ${new_path}, ${counted(links, 'link')} updated`,
})

interface Range {
  start: number
  end: number
}

function withoutBlankEnds(text: string, { start, end }: Range): Range {
  const lines = text.slice(start, end)
  const [before = ''] = /^(?:[ \t]*\r?\n)*/.exec(lines) ?? []
  const kept = lines.trimEnd()
  const lineEnd = text.indexOf('\n', start + kept.length)
  return { start: start + before.length, end: Math.min(end, lineEnd < 0 ? text.length : lineEnd + 1) }
}

function requireText(path: NotePath, text: string, { start, end }: Range): void {
  if (text.slice(start, end).trim() === '') throw new Failure('invalid-input', `There is no text to move in ${path}.`)
  if (start < (scanNote(text).frontmatter?.end ?? 0)) {
    throw new Failure('invalid-input', `The properties of ${path} cannot be moved to another note.`)
  }
}

/** Characters that names or links cannot contain. */
const notInNames = /[\\/<>:"|?*#^[\]\p{C}]+/gu

interface NewName {
  path: NotePath
  /** The text to be moved. */
  text: string
  heading?: string | undefined
}

async function newPath(to: string | undefined, { path, text }: NewName, context: ToolContext): Promise<NotePath> {
  const [firstLine = ''] = text.trim().split(/\r?\n/, 1)
  const words = firstLine
    .replace(/^(?:[-*+>]|\d+[.)]|\s)+/, '')
    .replace(/^#+\s+/, '')
    .replace(/\^[\w-]+\s*$/, '')
  const plain = words.replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1').replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
  const name = cutText(plain.replace(/[*`]/g, '').replace(notInNames, ' ').replace(/\s+/g, ' ').trim(), 80).replace(
    /[. …]+$/,
    '',
  )
  const files = await context.index.files()
  const folder = folderOf(path)
  const inFolder = (given: string, each: string) => (given === '' ? each : `${given}/${each}`)
  const isNamed = to !== undefined && to.trim() !== '' && !to.endsWith('/')
  if (!isNamed && name === '') {
    throw validationFailure('split_note', 'to: the text has no words for a name, so name the new note')
  }
  if (isNamed) {
    const given = to.includes('/') ? to.replace(/^\/+/, '') : inFolder(folder, to)
    const target = newNotePath(isNote(given) ? given : `${given}.md`, (part) =>
      files.some((each) => each.startsWith(`${part}/`)),
    )
    await requireFreePath(target, context)
    return target
  }
  const taken = new Set(files.map(foldPath))
  const place = to === undefined ? folder : to.replace(/^\/+|\/+$/g, '')
  for (let count = 1; ; count++) {
    const free = inFolder(place, `${name}${count === 1 ? '' : ` ${count}`}.md`)
    if (taken.has(foldPath(free))) continue
    const target = newNotePath(free, (part) => files.some((each) => each.startsWith(`${part}/`)))
    await requireFreePath(target, context)
    return target
  }
}

/** The note without the range, and the new note: each with the footnotes and link references that it uses. */
function splitText(path: NotePath, text: string, range: Range, target: NotePath, leave: 'link' | 'embed' | 'nothing') {
  const lineBreak = lineBreakOf(text)
  const labels = labelsIn(text, scanNote(text))
  const isInside = ({ start }: Range) => range.start <= start && start < range.end
  const isUsed = (label: (typeof labels)[number], inside: boolean) =>
    labels.some(
      (each) =>
        each.definition === undefined &&
        each.kind === label.kind &&
        each.key === label.key &&
        isInside(each) === inside,
    )
  const definitions = labels.flatMap((label) => (label.definition ? [{ ...label, span: label.definition }] : []))
  const needed = (inside: boolean) =>
    definitions.filter((each) => isInside(each.span) !== inside && isUsed(each, inside))
  const moved = definitions.flatMap((each) =>
    !isInside(each.span) && isUsed(each, true) && !isUsed(each, false) ? [each.span] : [],
  )
  const removed = [...moved, range].sort((a, b) => a.start - b.start)

  const rest: Segment[] = []
  let done = 0
  for (const each of removed) {
    if (each.start < done) continue
    rest.push(...keptText(path, text, { start: done, end: each.start }))
    if (each === range) rest.push(...leftBehind(text, range, target, leave, lineBreak))
    done = each.end
  }
  rest.push(...keptText(path, text, { start: done }))
  addDefinitions(rest, needed(false))
  const part = keptText(path, text, range)
  addDefinitions(part, needed(true))
  return { rest, part }

  function addDefinitions(segments: Segment[], found: typeof definitions): void {
    let last = segments.at(-1)?.text ?? ''
    const add = (added: string) => segments.push({ text: added })
    if (!last.endsWith('\n')) add(lineBreak)
    let kind: string | undefined
    // A link reference directly below a footnote would belong to it.
    for (const each of [...found].sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0))) {
      if (each.kind !== kind && !/\n\r?\n$/.test(last)) add(lineBreak)
      kind = each.kind
      last = text.slice(each.span.start, each.span.end)
      segments.push(...keptText(path, text, each.span))
      if (!last.endsWith('\n')) add(lineBreak)
    }
  }
}

/** The line that stays in place of the moved text: an item of the same list if it was one. */
function leftBehind(
  text: string,
  { start, end }: Range,
  path: NotePath,
  leave: 'link' | 'embed' | 'nothing',
  lineBreak: string,
): Segment[] {
  if (leave === 'nothing') return []
  const [marker = ''] = /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?/.exec(text.slice(start, end)) ?? []
  const isLast = end >= text.length && !text.endsWith('\n')
  return [
    ...(marker === '' ? [] : [{ text: marker }]),
    { text: '', linkTo: { path, isEmbed: leave === 'embed' } },
    ...(isLast ? [] : [{ text: lineBreak }]),
  ]
}
