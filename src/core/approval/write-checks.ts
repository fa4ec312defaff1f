import { Failure } from '../errors.js'
import { readFrontmatter } from '../markdown/index.js'
import type { ProposedCall, ReadableVault, ToolContext } from '../tools/index.js'
import { type Change, type ChangeSet, decodeNote, type NotePath } from '../vault/index.js'
import { addedAddresses } from './loaded-addresses.js'
import type { ConversationSources, TypedText } from './outbound.js'

/** Facts about the text that a call would write. */
export interface WriteFacts {
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
export async function writeFacts(
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
