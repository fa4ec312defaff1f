import { Failure } from '../errors.js'
import { parseNote } from '../markdown/index.js'
import type { Effect, ForeignTool, Outbound, ProposedCall, ReachedNote, ToolContext } from '../tools/index.js'
import { type Change, decodeNote, isNote, type NotePath } from '../vault/index.js'
import type { NoteProperties } from './match-rule.js'
import { type ConversationSources, isAllTyped, outboundContent, type TypedText } from './outbound.js'
import { looksAt, type Rule } from './rules.js'
import { type WriteFacts, writeFacts } from './write-checks.js'

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

export interface NoteAccess extends NoteProperties {
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
