import * as z from 'zod'
import { Failure } from '../../errors.js'
import { yieldToHost } from '../../index/index.js'
import {
  type Change,
  type ChangeRule,
  type ChangeSet,
  changeSet,
  decodeNote,
  folderOf,
  foldPath,
  mustBeUtf8,
  type NoteFile,
  type NotePath,
  newNotePath,
  notePath,
  type RuleSample,
} from '../../vault/index.js'
import { counted, cutText, folderPath, shortText } from '../result-format.js'
import { today } from '../search/find-tasks.js'
import { existingFolder, loadBases, querySource, tagNames } from '../search/query-page.js'
import { defineTool, type Notice, type Plan } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { validationFailure } from '../tool-input.js'
import { textNotices } from './executable-blocks.js'
import { findNoteOfAnySize } from './find-note.js'
import { moveNotices, notRewritten } from './move-notices.js'
import { type CheckedOperation, checkOperation, noteOperation } from './note-operations.js'

/** More are refused: the vault is then better changed in parts. */
const mostNotes = 20_000
const mostOperations = 20
const mostPaths = 2000
/** Notes that an answer names as not changed. */
const mostNamed = 20

export const changeNotes = defineTool({
  name: 'change_notes',
  title: 'Change notes',
  description:
    'Change many notes in one reviewed step: properties, tags, text, tasks, folder. Choose them by `where` (as in query_notes), folder, tags or paths.',
  activity: 'Changing notes',
  category: 'file',
  effects: ['writes', 'destroys'],
  needsVault: true,
  timeoutMs: 600_000,
  guidance:
    'Use change_notes instead of many calls when the same change applies to several notes. Notes that would not change are left out; notes that cannot be changed are named.',
  input: z.object({
    where: z.string().optional().describe('"true" for all notes'),
    folder: z.string().optional(),
    tags: z.array(z.string()).optional(),
    paths: z.array(z.string()).max(mostPaths).optional(),
    except: z.array(z.string()).optional(),
    operations: z.array(noteOperation).min(1).max(mostOperations),
  }),
  example: {
    folder: 'Garden',
    operations: [{ op: 'set_property', property: 'reviewed', value: true }],
  },
  inBrief: ['where', 'folder', 'tags', 'paths', 'operations'],
  output: z.object({
    notes: z.number(),
    rules: z.array(z.object({ title: z.string(), notes: z.number(), places: z.number() })),
    links: z.number().optional(),
    not_changed: z.array(z.string()).optional().describe('Path and reason'),
  }),

  async plan(input, context) {
    const operations = input.operations.map((operation, at) => checkOperation(operation, at, today(context)))
    const { paths, missing } = await chosenNotes(input, context)
    const draft = new Draft(operations, context)
    for (const each of missing) draft.leave(each.path, each.reason)
    await draft.edit(paths)
    return draft.plan()
  },

  render: ({ notes, rules, links = 0, not_changed = [] }) => {
    const lines = rules.map((rule) => `- ${rule.title}: ${counted(rule.notes, 'note')}${placesText(rule)}`)
    if (links > 0) lines.push(`- ${counted(links, 'link')} updated`)
    const head = notes === 0 ? 'Nothing to change.' : `Changed ${counted(notes, 'note')}:`
    const left = not_changed.length === 0 ? [] : ['Not changed:', ...not_changed.map((each) => `- ${each}`)]
    return [head, ...(notes === 0 ? [] : lines), ...left].join('\n')
  },
  summary: ({ notes }) => `${counted(notes, 'note')} changed`,
})

const placesText = ({ notes, places }: { notes: number; places: number }): string =>
  places === notes ? '' : `, ${counted(places, 'place')}`

interface Choice {
  where?: string | undefined
  folder?: string | undefined
  tags?: string[] | undefined
  paths?: string[] | undefined
  except?: string[] | undefined
}

/** The notes that a call means, in the order of their paths, and named ones that are not there. */
async function chosenNotes(
  { where, folder, tags, paths, except = [] }: Choice,
  context: ToolContext,
): Promise<{ paths: NotePath[]; missing: { path: string; reason: string }[] }> {
  const isQueried = [where?.trim(), folder, tags].some((given) => given !== undefined && given.length > 0)
  if (!isQueried && paths === undefined) {
    throw validationFailure('change_notes', 'where: name the notes with where, folder, tags or paths')
  }
  const named = paths && (await namedNotes(paths, context))
  const left = new Set(except.map((path) => foldPath(notePath(path))))
  const isMeant = (path: NotePath) => !left.has(foldPath(path))
  const missing = named?.missing ?? []
  if (!isQueried) return { paths: (named?.found ?? []).filter(isMeant), missing }
  const { runQuery } = await loadBases()
  const answer = await runQuery(
    {
      filters: where?.trim() ? [where] : [],
      folder: await existingFolder(folder, context.index),
      tags: tagNames(tags),
      limit: mostNotes + 1,
    },
    querySource(context),
  )
  if (answer.failed !== undefined) {
    throw new Failure(
      'invalid-input',
      `Nothing was changed, because the expression failed for ${counted(answer.failed.files, 'note')}: ${answer.failed.reason}`,
      { modelHint: 'Test it with query_notes first.', tools: ['query_notes'] },
    )
  }
  const among = named && new Set(named.found)
  const found = answer.rows.map(({ path }) => path).filter((path) => isMeant(path) && among?.has(path) !== false)
  if (found.length > mostNotes) throw tooMany(answer.total)
  return { paths: found, missing }
}

const tooMany = (notes: number): Failure =>
  new Failure(
    'too-large',
    `${counted(notes, 'note')} match, and at most ${counted(mostNotes, 'note')} can be changed at once.`,
    {
      hint: 'Change one folder after another.',
    },
  )

async function namedNotes(wanted: readonly string[], context: ToolContext) {
  const found = new Set<NotePath>()
  const missing: { path: string; reason: string }[] = []
  let failure: Failure | undefined
  for (const each of wanted) {
    try {
      found.add((await findNoteOfAnySize(each, context)).path)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failure ??= error
      missing.push({ path: shortText(each), reason: error.message })
    }
  }
  if (found.size === 0 && failure !== undefined) throw failure
  return { found: [...found].sort(), missing }
}

const encoder = new TextEncoder()

/** Concurrent reads. */
const readsAtOnce = 32
const samplesPerRule = 3

/** One rule of the call, with its effect so far. */
interface RuleEffect {
  title: string
  notes: Set<NotePath>
  places: number
  samples: RuleSample[]
}

/** The change while it is planned, note by note. */
class Draft {
  private readonly rules: RuleEffect[]
  /** New bytes and the hash of the current ones, by the path before a move. The texts would take twice the memory. */
  private readonly edits = new Map<NotePath, { before: string; after: Uint8Array }>()
  private readonly moves = new Map<NotePath, NotePath>()
  private readonly left: string[] = []
  private leftCount = 0
  private readonly notices: Notice[] = []

  constructor(
    private readonly operations: readonly CheckedOperation[],
    private readonly context: ToolContext,
  ) {
    this.rules = operations.map(({ title }) => ({ title, notes: new Set(), places: 0, samples: [] }))
  }

  leave(path: string, reason: string): void {
    this.leftCount++
    if (this.left.length < mostNamed) this.left.push(`${path}: ${reason}`)
  }

  async edit(paths: readonly NotePath[]): Promise<void> {
    const { signal, report } = this.context
    const targets = await this.moveTargets()
    const pause = yieldToHost()
    for (let at = 0; at < paths.length; at += readsAtOnce) {
      signal.throwIfAborted()
      await pause()
      report({ text: 'Planning the change', done: at, total: paths.length })
      const group = paths.slice(at, at + readsAtOnce)
      const files = await Promise.all(group.map((path) => this.read(path)))
      for (const [index, path] of group.entries()) {
        const file = files[index]
        if (file instanceof Failure) this.leave(path, file.message)
        else if (file !== undefined) await this.editNote(file, targets)
        await pause()
      }
    }
  }

  private async read(path: NotePath): Promise<NoteFile | Failure | undefined> {
    try {
      return await this.context.vault.read(path)
    } catch (error) {
      if (error instanceof Failure) return error
      throw error
    }
  }

  /** Runs all operations on a note, or none: a note that one of them cannot change stays as it is. */
  private async editNote(file: NoteFile, targets: MoveTargets | undefined): Promise<void> {
    const { path } = file
    const effects: { rule: RuleEffect; places: number; before: string; after: string }[] = []
    let text = file.text
    let target = path
    try {
      for (const [at, operation] of this.operations.entries()) {
        const rule = this.rules[at]
        if (rule === undefined) continue
        if ('folder' in operation) {
          const next = await targets?.of(operation.folder, path, target)
          if (next === undefined || next === target) continue
          effects.push({ rule, places: 1, before: target, after: next })
          target = next
          continue
        }
        mustBeUtf8(file)
        const edited = operation.edit(text, path)
        if (edited.text === text) continue
        effects.push({ rule, places: edited.places, ...changedLines(text, edited.text) })
        text = edited.text
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      this.leave(path, error.message)
      return
    }
    const isMoved = target !== path
    if (text === file.text && !isMoved) return
    if (isMoved) {
      targets?.take(target)
      this.moves.set(path, target)
    }
    if (text !== file.text) {
      this.edits.set(path, { before: file.hash, after: encoder.encode(text) })
      this.addNotices(textNotices(path, file.text, text))
    }
    for (const { rule, places, before, after } of effects) {
      rule.notes.add(path)
      rule.places += places
      if (rule.samples.length < samplesPerRule) rule.samples.push({ path, before, after })
    }
  }

  private addNotices(notices: readonly Notice[]): void {
    for (const notice of notices) {
      const ofKind = this.notices.filter(({ kind }) => kind === notice.kind).length
      if (ofKind < mostNamed) this.notices.push(notice)
      else if (ofKind === mostNamed) this.notices.push({ kind: notice.kind, text: 'More notes get such text.' })
    }
  }

  private async moveTargets(): Promise<MoveTargets | undefined> {
    const folders = this.operations.flatMap((operation) => ('folder' in operation ? [operation.folder] : []))
    return folders.length === 0 ? undefined : MoveTargets.open(folders, this.context)
  }

  async plan(): Promise<Plan<Output>> {
    const { session } = this.context
    const notices = [...this.leftNotice(), ...this.notices]
    const notes = new Set([...this.edits.keys(), ...this.moves.keys()])
    if (notes.size === 0) {
      return { changes: changeSet('Change no notes', [], { session }), output: this.output(0), effects: [], notices }
    }
    const { changes, impact } = await this.changes()
    const rules = this.changeRules(changes)
    const title = titleOf(notes.size, this.rules)
    const output = this.output(notes.size, impact?.links, impact && notRewritten(impact))
    const set: ChangeSet = { ...changeSet(title, changes, { session }), rules }
    const common = { changes: set, output, effects: effectsOf(this.moves.size > 0) }
    const inPart = (part: ChangeSet): Output => ({ ...output, notes: pathsIn(part).size })
    if (impact === undefined) return { ...common, inPart, notices }
    return { ...common, inPart, notices: [...notices, ...moveNotices(impact)], impact, isAboutWholeVault: true }
  }

  private async changes() {
    if (this.moves.size > 0) {
      const texts = new Map([...this.edits].map(([path, { after }]) => [path, decodeNote(after).text]))
      const { signal, touchesHidden } = this.context
      return this.context.index.planMoves(this.moves, { signal, texts, ...(touchesHidden && { touchesHidden }) })
    }
    const changes = [...this.edits].map(([path, edit]): Change => ({ kind: 'edit', path, ...edit }))
    return { changes, impact: undefined }
  }

  private changeRules(changes: readonly Change[]): ChangeRule[] {
    const positions = new Map<NotePath, number[]>()
    for (const [at, { path }] of changes.entries()) positions.set(path, [...(positions.get(path) ?? []), at])
    return this.rules.map(({ title, notes, places, samples }, at) => ({
      title,
      notes: notes.size,
      places,
      changes: [...notes]
        .flatMap((path) => [path, ...(this.moves.has(path) ? [this.moves.get(path) ?? path] : [])])
        .flatMap((path) => positions.get(path) ?? []),
      samples,
      pointer: `/operations/${at}`,
    }))
  }

  private output(notes: number, links?: number, notRewritten: string[] = []): Output {
    const left = [...this.left, ...notRewritten.slice(0, mostNamed)]
    const more = this.leftCount + notRewritten.length - left.length
    if (more > 0) left.push(`and ${more} more`)
    return {
      notes,
      rules: this.rules.map((rule) => ({ title: rule.title, notes: rule.notes.size, places: rule.places })),
      ...(links !== undefined && { links }),
      ...(left.length > 0 && { not_changed: left }),
    }
  }

  private leftNotice(): Notice[] {
    if (this.leftCount === 0) return []
    const more = this.leftCount > this.left.length ? ` and ${this.leftCount - this.left.length} more` : ''
    const text = `${counted(this.leftCount, 'note')} cannot be changed: ${this.left.join('; ')}${more}`
    return [{ kind: 'other', text }]
  }
}

interface Output {
  notes: number
  rules: { title: string; notes: number; places: number }[]
  links?: number
  not_changed?: string[]
}

const effectsOf = (isMoving: boolean) => (isMoving ? (['writes', 'destroys'] as const) : (['writes'] as const))

function titleOf(notes: number, rules: readonly RuleEffect[]): string {
  const effective = rules.filter((rule) => rule.notes.size > 0)
  const [first] = effective
  if (effective.length === 1 && first !== undefined) return `${first.title} in ${counted(notes, 'note')}`
  return `Change ${counted(notes, 'note')} with ${effective.length} rules`
}

/** The notes that the steps of a set belong to: a moved note counts once. */
function pathsIn({ changes }: ChangeSet): Set<NotePath> {
  const paths = new Set(changes.map(({ path }) => path))
  for (const change of changes) if (change.kind === 'move') paths.delete(change.to)
  return paths
}

/** Where notes can be moved to, while several move at once. */
class MoveTargets {
  private constructor(
    private readonly folders: ReadonlyMap<string, string>,
    /** Names of files, and of notes that this change moves. */
    private readonly taken: Set<string>,
    private readonly context: ToolContext,
  ) {}

  static async open(wanted: readonly string[], context: ToolContext): Promise<MoveTargets> {
    const folders = new Map<string, string>()
    for (const each of wanted) folders.set(each, await folderPath(each.replace(/\/+$/, '') || '/', context.index))
    const taken = new Set((await context.index.files()).map(foldPath))
    return new MoveTargets(folders, taken, context)
  }

  /** The path of a note in another folder, where it must be free; `now` is where earlier operations put it. */
  async of(wanted: string, path: NotePath, now: NotePath): Promise<NotePath> {
    const folder = this.folders.get(wanted) ?? ''
    if (folderOf(now) === folder) return now
    const name = now.slice(now.lastIndexOf('/') + 1)
    const wantedPath = folder === '' ? name : `${folder}/${name}`
    // Only new names must be valid on every system.
    const target = newNotePath(wantedPath, (part) => part === wantedPath || this.isFolder(part))
    if (foldPath(target) === foldPath(path)) return target
    if (this.taken.has(foldPath(target)) || (await this.context.vault.stat(target)) !== undefined) {
      throw new Failure('conflict', `There is already a file at ${target}.`)
    }
    if (await this.context.vault.isClosed(target)) throw new Failure('path', `No note can be written at ${target}.`)
    return target
  }

  private isFolder(path: string): boolean {
    const start = `${foldPath(path)}/`
    for (const each of this.taken) if (each.startsWith(start)) return true
    return false
  }

  take(target: NotePath): void {
    this.taken.add(foldPath(target))
  }
}

const mostSampleLines = 3
const mostSampleCharacters = 300

/** The first lines that differ between two texts. */
function changedLines(before: string, after: string): { before: string; after: string } {
  let at = 0
  while (at < before.length && at < after.length && before.charCodeAt(at) === after.charCodeAt(at)) at++
  const start = before.lastIndexOf('\n', at - 1) + 1
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end++
  // Whole lines at the end, too.
  const isLineStart = (text: string): boolean => text.length - end === start || text[text.length - end - 1] === '\n'
  if (!isLineStart(before) || !isLineStart(after)) {
    const lineFeed = before.indexOf('\n', before.length - end)
    end = lineFeed < 0 ? 0 : before.length - lineFeed - 1
  }
  const lines = (text: string) =>
    cutText(
      text
        .slice(start, Math.max(start, text.length - end))
        .split('\n', mostSampleLines)
        .join('\n')
        .replace(/\s+$/, ''),
      mostSampleCharacters,
    )
  return { before: lines(before), after: lines(after) }
}
