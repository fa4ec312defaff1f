import { Failure } from '../errors.js'
import { parseNote, readFrontmatter } from '../markdown/index.js'
import type {
  Effect,
  ForeignTool,
  Outbound,
  ProposedCall,
  ReachedNote,
  ReadableVault,
  ToolContext,
} from '../tools/index.js'
import { type Change, type ChangeSet, decodeNote, isNote, type NotePath } from '../vault/index.js'
import { addedAddresses } from './loaded-addresses.js'
import type { MatchableNote } from './match-rule.js'
import { type ConversationSources, isAllTyped, outboundContent, type TypedText } from './outbound.js'
import { looksAt, type Rule } from './rules.js'

/** All facts the policy evaluates: the call, its notes, and the conversation at the moment of the call. */
export interface CallFacts extends WriteFacts {
  /** Name of the tool. */
  tool: string
  /** Set for a tool of an MCP server. */
  foreign?: ForeignTool
  effects: readonly Effect[]
  sends: readonly Outbound[]
  /** The user picks which notes to share. */
  picks: boolean
  /** The call writes text that another program would run. */
  isExecutable: boolean
  /** Links in hidden notes would break, or a hidden note has the new name. Only the user may know this. */
  concernsHidden?: boolean
  /** The call writes through a change set. */
  isUndoable: boolean
  /** The kinds of changes in the change set, for messages only. */
  changes?: readonly Change['kind'][]
  notes: readonly NoteAccess[]
  /** The user's own notes and text from elsewhere are both in the conversation. */
  isTainted: boolean
  /** Notes are in the conversation, and the call sends text that the user did not type. */
  sendsUntypedText: boolean
}

export interface NoteAccess extends MatchableNote {
  access: ReachedNote['access']
  /** Its content is used, even if only to change it: rules that restrict reading apply. */
  isRead: boolean
}

/** All effects of the call, including those that follow from its notes and addresses. */
export function effectsOf({ effects, sends, notes }: CallFacts): Effect[] {
  const all = new Set<Effect>([...effects, ...notes.map(({ access }) => access)])
  if (sends.length > 0) all.add('reaches-network')
  return [...all]
}

interface FactSources {
  /** Unfiltered: rules look at the real notes. */
  context: Pick<ToolContext, 'vault' | 'index'>
  /** All rules to evaluate: facts that no rule uses are not gathered. */
  rules: readonly Rule[]
  conversation: ConversationSources
  /** Text that the user typed in the conversation. */
  typed: TypedText
  /** A note's path with links in the folders above it resolved; hosts with links give it. */
  canonical?: ((path: NotePath) => Promise<string>) | undefined
}

/** Gathers all facts the policy evaluates. */
export async function gatherFacts(proposed: ProposedCall, sources: FactSources): Promise<CallFacts> {
  const { tool, foreign, effects, sends, pick, plan } = proposed
  const { conversation, typed } = sources
  return {
    tool: tool.name,
    ...(foreign && { foreign }),
    effects,
    sends,
    picks: pick !== undefined && pick.length > 0,
    isExecutable: plan?.notices?.some(({ kind }) => kind === 'executable') ?? false,
    concernsHidden: plan?.impact?.hidden !== undefined,
    isUndoable: plan !== undefined,
    ...(plan && { changes: plan.changes.changes.map(({ kind }) => kind) }),
    notes: await noteFacts(proposed, sources),
    isTainted: conversation.isTainted(),
    sendsUntypedText: conversation.hasNotes() && !isAllTyped(outboundContent(proposed), typed),
    ...(await writeFacts(proposed, sources)),
  }
}

/** Facts about the notes of a call that rules use: real paths, tags and properties. */
async function noteFacts(proposed: ProposedCall, given: FactSources): Promise<NoteAccess[]> {
  const sources = { ...given, rules: given.rules.filter((rule) => mayConcern(rule, proposed)) }
  const isAbout = (...kinds: Parameters<typeof looksAt>[1][]) =>
    sources.rules.some(({ selector }) => selector !== undefined && looksAt(selector, ...kinds))
  const needsMeaning = isAbout('tag', 'prop')
  const canonical = isAbout('path', 'folder') ? sources.canonical : undefined
  const notes: NoteAccess[] = []
  for (const [path, planned] of touchedNotes(proposed)) {
    const touched = sources.rules.length > 0 ? await asExistingIfHidden(path, planned, sources.context) : planned
    const real = (await canonical?.(path)) ?? path
    notes.push({
      paths: real === path ? [path] : [path, real],
      access: touched.access,
      isRead: touched.isRead,
      ...(needsMeaning ? await findProperties(touched, sources.context) : propertiesUnknown),
    })
  }
  return notes
}

/** Rules about writing do not concern a call that only reads, so their facts are not gathered. */
function mayConcern({ subject }: Rule, { tool, plan, effects }: ProposedCall): boolean {
  const onlyReads = plan === undefined && effects.every((effect) => effect === 'reads')
  if (!onlyReads || subject.kind === 'any' || subject.kind === 'mcp') return true
  return subject.kind === 'tool' ? subject.name === tool.name : subject.effect === 'reads'
}

type KnownProperties = Pick<NoteAccess, 'tags' | 'properties' | 'isKnown'>
const propertiesUnknown: KnownProperties = { tags: [], properties: null, isKnown: false }
const noProperties: KnownProperties = { tags: [], properties: null, isKnown: true }

interface TouchedNote {
  access: ReachedNote['access']
  isRead: boolean
  /** Location of its current text: a file, or only the plan. */
  origin: { path: NotePath; hash?: string | undefined; planned?: Uint8Array } | { bytes: Uint8Array }
}

function touchedNotes({ notes, pick = [], plan }: ProposedCall): Map<NotePath, TouchedNote> {
  const touched = new Map<NotePath, TouchedNote>()
  const touch: Touch = (path, access, isRead, origin) => {
    const known = touched.get(path)
    touched.set(path, {
      access: strongest(known?.access, access),
      isRead: isRead || known?.isRead === true,
      origin: known?.origin ?? origin,
    })
  }
  for (const change of plan?.changes.changes ?? []) touchByChange(change, touch, touched)
  for (const { path, access } of notes) touch(path, access, access === 'reads', { path })
  for (const path of pick) touch(path, 'reads', true, { path })
  return touched
}

type Touch = (path: NotePath, access: ReachedNote['access'], isRead: boolean, origin: TouchedNote['origin']) => void

function touchByChange(change: Change, touch: Touch, touched: ReadonlyMap<NotePath, TouchedNote>): void {
  const { kind, path } = change
  if (kind === 'create') touch(path, 'writes', false, { bytes: change.after })
  else if (kind === 'append') touch(path, 'writes', false, { path, planned: change.added })
  else {
    // After a move it is the old place that was read.
    touch(path, kind === 'edit' ? 'writes' : 'destroys', !touched.has(path), { path, hash: change.before })
    // A moved note keeps its text.
    if (kind === 'move') touch(change.to, 'writes', false, touched.get(path)!.origin)
  }
}

const strength = ['reads', 'writes', 'destroys'] as const

function strongest(a: ReachedNote['access'] | undefined, b: ReachedNote['access']): ReachedNote['access'] {
  return a !== undefined && strength.indexOf(a) > strength.indexOf(b) ? a : b
}

/** A note planned as new because it is hidden from the model is still the note that is there. */
async function asExistingIfHidden(
  path: NotePath,
  touched: TouchedNote,
  { vault }: FactSources['context'],
): Promise<TouchedNote> {
  if (!('bytes' in touched.origin) || (await vault.stat(path)) === undefined) return touched
  return { ...touched, isRead: true, origin: { path } }
}

/** From the index if it has these exact bytes, otherwise from the bytes. */
async function findProperties(
  { origin }: TouchedNote,
  { vault, index }: FactSources['context'],
): Promise<KnownProperties> {
  if ('bytes' in origin) return parseProperties(decodeNote(origin.bytes).text)
  const { path, hash, planned } = origin
  if (!isNote(path)) return noProperties
  const stored = await index.note(path)
  const stamp = hash === undefined ? await vault.stat(path) : undefined
  if (stored !== undefined) {
    const isSame =
      hash === undefined
        ? stamp !== undefined && stamp.size === stored.size && stamp.mtimeMs === stored.mtimeMs
        : stored.hash === hash
    const isKnown = stored.frontmatterError === undefined || stored.properties !== null
    if (isSame) return { tags: stored.tags, properties: stored.properties, isKnown }
  }
  if (hash === undefined && stamp === undefined)
    return planned ? parseProperties(decodeNote(planned).text) : noProperties
  try {
    const file = await vault.read(path)
    return file === undefined ? noProperties : parseProperties(file.text)
  } catch (error) {
    if (error instanceof Failure) return propertiesUnknown
    throw error
  }
}

function parseProperties(text: string): KnownProperties {
  const { tags, properties, frontmatter } = parseNote('note.md', text)
  return { tags, properties, isKnown: frontmatter === undefined || frontmatter.data !== undefined }
}

/** Facts about the text that a call would write. */
interface WriteFacts {
  /** Addresses that opening a changed note would load, except those the user typed. */
  loads: readonly LoadedAddress[]
  /** Sentences about changes to who can see a note. */
  audience: readonly string[]
  /** The change is too large to be covered by an earlier "and the same from now on". */
  isLarge: boolean
}

/** An address that opening a note would load. */
export interface LoadedAddress {
  path: string
  url: string
  /** "image", "iframe tag". */
  how: string
}

const noWriteFacts: WriteFacts = { loads: [], audience: [], isLarge: false }

/** Characters by which a note may grow before a remembered decision no longer covers it: some eight pages. */
const largestGrowth = 16 * 1024

/** Checks the text that a call would write, whichever tool writes it. */
async function writeFacts(
  proposed: ProposedCall,
  sources: { context: Pick<ToolContext, 'vault'>; conversation: ConversationSources; typed: TypedText },
): Promise<WriteFacts> {
  const set = changesToCheck(proposed)
  if (set === undefined || set.changes.length === 0) return noWriteFacts
  const { context, conversation, typed } = sources
  const texts = await changedTexts(set, context.vault)
  // An address that the user typed reveals nothing, unless the conversation is tainted.
  const isMeant = (url: string) => !conversation.isTainted() && typed.hasAddress(url)
  const loads = texts.flatMap(({ path, before = '', after }) =>
    addedAddresses(path, before, after).map((loaded) => ({ path, ...loaded })),
  )
  return {
    loads: conversation.isEmpty() ? [] : loads.filter(({ url }) => !isMeant(url)),
    audience: texts.flatMap(audienceChanges),
    isLarge: texts.some(({ before = '', after }) => after.length - before.length > largestGrowth),
  }
}

/** A file before and after a change set, as text. */
interface ChangedText {
  path: NotePath
  /** Its old path, if the set moves it. */
  movedFrom?: NotePath
  /** Absent for a new file. */
  before?: string
  after: string
}

/** All files whose text or path a change set changes. */
export async function changedTexts(set: ChangeSet, vault: Pick<ReadableVault, 'read'>): Promise<ChangedText[]> {
  const changed = new Map<NotePath, ChangedText>()
  for (const change of set.changes) {
    const { path } = change
    const known = changed.get(path) ?? (await unchanged(path, vault))
    changed.delete(path)
    if (change.kind === 'trash') continue
    if (change.kind === 'move') {
      changed.set(change.to, { ...known, path: change.to, movedFrom: known.movedFrom ?? path })
    } else changed.set(path, { ...known, after: textAfter(change, known.after) })
  }
  return [...changed.values()]
}

/**
 * The changes to check. For our own renames only the moves: the other changes just update links, and may be thousands.
 */
function changesToCheck({ plan, source }: ProposedCall): ChangeSet | undefined {
  if (plan?.impact === undefined || source !== 'built-in') return plan?.changes
  return { ...plan.changes, changes: plan.changes.changes.filter(({ kind }) => kind === 'move') }
}

function textAfter(change: Exclude<Change, { kind: 'move' | 'trash' }>, before: string): string {
  return change.kind === 'append' ? before + decodeNote(change.added).text : decodeNote(change.after).text
}

async function unchanged(path: NotePath, vault: Pick<ReadableVault, 'read'>): Promise<ChangedText> {
  try {
    const text = (await vault.read(path))?.text
    return { path, ...(text !== undefined && { before: text }), after: text ?? '' }
  } catch (error) {
    // Too large or not text: treat everything written as new.
    if (error instanceof Failure) return { path, after: '' }
    throw error
  }
}

/** Describes how a change affects who can see a note. */
export function audienceChanges({ path, movedFrom, before, after }: ChangedText): string[] {
  const old = before === undefined ? undefined : propertiesIn(before)
  const now = propertiesIn(after)
  return [...movedAcross(path, movedFrom, before === undefined), ...propertyChanges(path, old, now)]
}

/** Publish the note if true. */
const publishingProperties = new Set(['publish', 'published', 'public', 'share', 'shared', 'dg-publish', 'dg-home'])
/** Set the audience or the public address. */
const audienceProperties = new Set(['visibility', 'permalink', 'dg-permalink', 'slug'])
/** Keep the note from being published. */
const hidingProperties = new Set(['private', 'draft', 'unlisted', 'noindex', 'password'])
const isWatched = (name: string): boolean =>
  publishingProperties.has(name) || audienceProperties.has(name) || hidingProperties.has(name)

interface Properties {
  /** Values as JSON, by lower-case name. */
  values: ReadonlyMap<string, string>
  count: number
  /** The source of properties that cannot be parsed. */
  unread?: string
}

function propertiesIn(text: string): Properties {
  const frontmatter = readFrontmatter(text)
  if (frontmatter === undefined) return { values: new Map(), count: 0 }
  const { data, yaml } = frontmatter
  if (data === undefined) return { values: new Map(), count: 0, unread: text.slice(yaml.start, yaml.end) }
  const watched = Object.entries(data).flatMap(([name, value]): [string, string][] => {
    const key = name.trim().toLowerCase()
    // Web clippers store the page's date in `published`.
    if (!isWatched(key) || (key === 'published' && !isOn(value) && !isOff(value))) return []
    return [[key, JSON.stringify(value ?? null)]]
  })
  return { values: new Map(watched), count: Object.keys(data).length }
}

const isOn = (value: unknown): boolean => /^(?:true|yes|on|y|1|public)$/i.test(String(value).trim())
const isOff = (value: unknown): boolean => /^(?:false|no|off|n|0)$/i.test(String(value).trim())

function propertyChanges(path: string, old: Properties | undefined, now: Properties): string[] {
  if (old === undefined) {
    return [...now.values].flatMap(([name, value]) => {
      const isOpen = audienceProperties.has(name) || (publishingProperties.has(name) && isOn(JSON.parse(value)))
      return isOpen ? [`This creates ${path} with ${name}: ${value}.`] : []
    })
  }
  if (old.unread !== now.unread) return [`This changes properties of ${path} that cannot be read.`]
  if (old.count > 0 && now.count === 0) return [`This removes all properties from ${path}.`]
  const names = new Set([...old.values.keys(), ...now.values.keys()])
  return [...names].flatMap((name) => {
    const [from, to] = [old.values.get(name), now.values.get(name)]
    if (from === to) return []
    if (to === undefined) return [`This removes ${name}: ${from} from ${path}.`]
    return [`This sets ${name}: ${to} in ${path}${from === undefined ? '' : `, which has ${name}: ${from}`}.`]
  })
}

const sharing = ['public', 'publish', 'published', 'share', 'shared']
const keeping = ['private', 'draft', 'drafts']

/** Moves in or out of folders whose name suggests publishing. */
function movedAcross(path: string, movedFrom: string | undefined, isNew: boolean): string[] {
  if (movedFrom === undefined) {
    const [folder] = isNew ? foldersOf(path, sharing) : []
    return folder === undefined ? [] : [`This creates ${path} in the folder ${folder}.`]
  }
  const named = [...sharing, ...keeping]
  const [left, entered] = [foldersOf(movedFrom, named), foldersOf(path, named)]
  return left.join('/') === entered.join('/') ? [] : [`This moves ${movedFrom} to ${path}.`]
}

function foldersOf(path: string, wanted: readonly string[]): string[] {
  const folders = path.toLowerCase().split('/').slice(0, -1)
  return folders.map((folder) => folder.replace(/^[\W_]+/, '')).filter((folder) => wanted.includes(folder))
}
