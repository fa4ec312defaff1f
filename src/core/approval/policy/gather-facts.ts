import { Failure } from '../../errors.js'
import { parseNote } from '../../markdown/index.js'
import type { ProposedCall, ReachedNote, ToolContext } from '../../tools/index.js'
import { type Change, decodeNote, isNote, type NotePath } from '../../vault/index.js'
import { isTyped, type TypedWords, whatLeaves } from '../leaving/index.js'
import { looksAt, type Rule } from '../rules/index.js'
import type { Facts, JudgedCall, NoteFacts } from './call-facts.js'
import type { Taint } from './taint.js'
import { writeFacts } from './write-facts.js'

export interface FactSources {
  /** Not screened: rules look at what is really there. */
  context: Pick<ToolContext, 'vault' | 'index'>
  /** All that will be asked: what none of them looks at is not found out. */
  rules: readonly Rule[]
  conversation: Taint
  /** What the person typed in it. */
  typed: TypedWords
  /** A note's path with links in the folders above it resolved; hosts with links give it. */
  canonical?: (path: NotePath) => Promise<string>
}

export function judgedCall({ tool, foreign, effects, sends, pick, plan }: ProposedCall): JudgedCall {
  return {
    tool: tool.name,
    ...(foreign && { foreign }),
    effects,
    sends,
    picks: pick !== undefined && pick.length > 0,
    isExecutable: plan?.notices?.some(({ kind }) => kind === 'executable') ?? false,
    concernsHidden: plan?.impact?.hidden !== undefined,
    isUndoable: plan !== undefined,
  }
}

/** Finds out all that the policy looks at. */
export async function gatherFacts(proposed: ProposedCall, sources: FactSources): Promise<Facts> {
  const { conversation, typed } = sources
  return {
    notes: await noteFacts(proposed, sources),
    isTainted: conversation.isTainted(),
    isUnsaid: conversation.hasNotes() && !isTyped(whatLeaves(proposed), typed),
    ...(await writeFacts(proposed, sources)),
  }
}

/** About the notes of a call what the rules look at: where they really are, their tags and properties. */
async function noteFacts(proposed: ProposedCall, given: FactSources): Promise<NoteFacts[]> {
  const sources = { ...given, rules: given.rules.filter((rule) => mayConcern(rule, proposed)) }
  const isAbout = (...kinds: Parameters<typeof looksAt>[1][]) =>
    sources.rules.some(({ selector }) => selector !== undefined && looksAt(selector, ...kinds))
  const needsMeaning = isAbout('tag', 'prop')
  const canonical = isAbout('path', 'folder') ? sources.canonical : undefined
  const notes: NoteFacts[] = []
  for (const [path, planned] of touchedNotes(proposed)) {
    const touched = sources.rules.length > 0 ? await notAsNew(path, planned, sources.context) : planned
    const real = (await canonical?.(path)) ?? path
    notes.push({
      paths: real === path ? [path] : [path, real],
      access: touched.access,
      isRead: touched.isRead,
      ...(needsMeaning ? await meaningOf(touched, sources.context) : unneeded),
    })
  }
  return notes
}

/** A call that only reads is no matter of rules about writing: what those look at need not be found out. */
function mayConcern({ subject }: Rule, { tool, plan, effects }: ProposedCall): boolean {
  const onlyReads = plan === undefined && effects.every((effect) => effect === 'reads')
  if (!onlyReads || subject.kind === 'any' || subject.kind === 'mcp') return true
  return subject.kind === 'tool' ? subject.name === tool.name : subject.effect === 'reads'
}

type Meaning = Pick<NoteFacts, 'tags' | 'properties' | 'isKnown'>
const unneeded: Meaning = { tags: [], properties: null, isKnown: false }
const nothing: Meaning = { tags: [], properties: null, isKnown: true }

interface TouchedNote {
  access: ReachedNote['access']
  isRead: boolean
  /** Where what it says now can be found: under a path, or only in what is planned. */
  origin: { path: NotePath; hash?: string; planned?: Uint8Array } | { bytes: Uint8Array }
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
    // What a note says moves with it.
    if (kind === 'move') touch(change.to, 'writes', false, touched.get(path)!.origin)
  }
}

const strength = ['reads', 'writes', 'destroys'] as const

function strongest(a: ReachedNote['access'] | undefined, b: ReachedNote['access']): ReachedNote['access'] {
  return a !== undefined && strength.indexOf(a) > strength.indexOf(b) ? a : b
}

/** A note planned as new because it is hidden from the model is still the note that is there. */
async function notAsNew(path: NotePath, touched: TouchedNote, { vault }: FactSources['context']): Promise<TouchedNote> {
  if (!('bytes' in touched.origin) || (await vault.stat(path)) === undefined) return touched
  return { ...touched, isRead: true, origin: { path } }
}

/** From the index where it knows the very bytes, else from the bytes themselves. */
async function meaningOf({ origin }: TouchedNote, { vault, index }: FactSources['context']): Promise<Meaning> {
  if ('bytes' in origin) return parsed(decodeNote(origin.bytes).text)
  const { path, hash, planned } = origin
  if (!isNote(path)) return nothing
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
  if (hash === undefined && stamp === undefined) return planned ? parsed(decodeNote(planned).text) : nothing
  try {
    const file = await vault.read(path)
    return file === undefined ? nothing : parsed(file.text)
  } catch (error) {
    if (error instanceof Failure) return unneeded
    throw error
  }
}

function parsed(text: string): Meaning {
  const { tags, properties, frontmatter } = parseNote('note.md', text)
  return { tags, properties, isKnown: frontmatter === undefined || frontmatter.data !== undefined }
}
