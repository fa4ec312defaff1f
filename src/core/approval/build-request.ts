import { Failure } from '../errors.js'
import { visibleText } from '../text/index.js'
import {
  inputSchema,
  type Notice,
  type Outbound,
  type Plan,
  type ProposedCall,
  type ReadableVault,
  type ToolContext,
  textToEdit,
} from '../tools/index.js'
import {
  type Change,
  type ChangeSet,
  describeSteps,
  folderOf,
  hashBytes,
  listHunks,
  type NotePath,
  showChanges,
} from '../vault/index.js'
import type { ApprovalRequest, ChangeHunks, Offer, Scope } from './approval-request.js'
import { literalPattern } from './path-pattern.js'
import type { AskReason } from './policy.js'
import { needsPathWord, parseRule, type Rule, type RuleVocabulary } from './rules.js'

// `!` is used on the first of paths where the condition has found one.

/** A request before the queue adds its id and times. */
export interface RequestDraft extends Omit<ApprovalRequest, 'id' | 'createdAt' | 'expiresAt' | 'askedLately'> {
  /** Identifies the same call, regardless of the state of the notes. */
  repeatKey: string
}

/** Large enough that diffs are never truncated. */
const diffLimit = 8_000_000

/** Builds the request shown to the user from the values that will be used. */
export async function buildRequest(
  kind: ApprovalRequest['kind'],
  proposed: ProposedCall,
  asks: readonly AskReason[],
  offers: readonly Offer[],
  { vault, loads, words }: Pick<ToolContext, 'vault'> & Pick<ApprovalRequest, 'loads' | 'words'>,
): Promise<RequestDraft> {
  const { tool, source, session, turn, callId, input, effects, notes, sends, pick, plan, edited } = proposed
  const hunks = plan?.inPart && kind === 'call' ? await listHunksOf(plan.changes, vault) : undefined
  const shown: Omit<RequestDraft, 'hidden'> = {
    kind,
    hash: hashProposal(proposed, kind),
    repeatKey: repeatKeyOf(proposed, kind),
    session,
    ...(turn !== undefined && { turn }),
    callId,
    tool: { name: tool.name, title: tool.title, source, effects: [...effects], purpose: purposeOf(tool.description) },
    title: plan?.changes.title ?? tool.title,
    reasons: asks.filter((ask) => (ask.kind === 'executable') === (kind === 'executable')).map(({ reason }) => reason),
    // A copy, so that the shown input cannot change.
    input: JSON.parse(canonicalJson(input)),
    ...(kind === 'call' && { schema: inputSchema(tool) }),
    edited,
    notes: notes.map((note) => ({ ...note })),
    ...(plan && { changes: await showChanges(plan.changes, (path) => vault.read(path), diffLimit) }),
    ...(hunks && { hunks }),
    ...(kind === 'call' && plan && editableResults(plan)),
    ...(plan?.changes.rules && { rules: plan.changes.rules }),
    ...(plan?.impact && { impact: plan.impact }),
    notices: noticesFor(kind, plan?.notices ?? proposed.notices ?? []),
    sends: sends.map(({ url, payload }) => ({
      url,
      ...(payload !== undefined && { payload }),
      bytes: new TextEncoder().encode(url + (payload ?? '')).length,
    })),
    loads: kind === 'call' ? loads.map((load) => ({ ...load })) : [],
    words: kind === 'call' ? words.map((word) => ({ ...word })) : [],
    ...(pick && kind === 'call' && { pick: [...pick], pickBytes: await sizesOf(pick, vault) }),
    scopes: scopesFor(kind, proposed, asks, offers),
    offers: [...offers],
    safeDefault: isPlainReading(kind, proposed) ? 'allow' : 'deny',
  }
  const hidden = countHidden({ ...shown, changes: [], hunks: [], results: [], schema: {} })
  return hidden === 0 ? shown : { ...shown, hidden }
}

/** Descriptions are written for models, at length. */
const purposeOf = (description: string): string => /^.*?[.!?](?=\s|$)/s.exec(description)?.[0] ?? description

/** More or longer texts than these are not sent along to be edited. */
const mostResults = 5
const longestResult = 100_000

function editableResults({ changes: { changes }, isAboutWholeVault }: Plan): Pick<ApprovalRequest, 'results'> {
  if (isAboutWholeVault || changes.length > mostResults) return {}
  const results = changes.flatMap((change, at) => {
    const text = changes.filter(({ path }) => path === change.path).length > 1 ? undefined : textToEdit(change)
    return text === undefined || text.length > longestResult ? [] : [{ change: at, text }]
  })
  return results.length > 0 ? { results } : {}
}

async function sizesOf(paths: readonly NotePath[], vault: Pick<ToolContext['vault'], 'stat'>) {
  const stamps = await Promise.all(paths.map(async (path) => [path, (await vault.stat(path))?.size] as const))
  return Object.fromEntries(stamps.flatMap(([path, size]) => (size === undefined ? [] : [[path, size]])))
}

/** Counts invisible characters in all strings of a value. */
function countHidden(value: unknown): number {
  if (typeof value === 'string') return visibleText(value).hidden
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [name, inner]) => sum + visibleText(name).hidden + countHidden(inner), 0)
}

const noticesFor = (kind: ApprovalRequest['kind'], notices: readonly Notice[]): Notice[] =>
  kind === 'executable' ? notices.filter((notice) => notice.kind === 'executable') : [...notices]

function scopesFor(
  kind: ApprovalRequest['kind'],
  { plan, turn }: ProposedCall,
  asks: readonly AskReason[],
  offers: readonly Offer[],
): Scope[] {
  if (kind === 'executable') return ['once']
  // Requests caused by a rule, taint or `pick` are repeated every time, so they have no scope.
  const isLevelOnly = asks.every((ask) => ask.kind === 'level' || ask.kind === 'executable')
  const forTurn = plan !== undefined && turn !== undefined && isLevelOnly && offers.length > 0
  return [
    'once',
    ...(forTurn ? ['change-set' as const] : []),
    ...(offers.length > 0 ? ['session' as const, 'always' as const] : []),
  ]
}

/** Plain reads are the only calls that Enter may allow. */
function isPlainReading(kind: ApprovalRequest['kind'], { effects, sends, pick = [] }: ProposedCall): boolean {
  return kind === 'call' && pick.length === 0 && sends.length === 0 && effects.every((effect) => effect === 'reads')
}

/** Rules that would allow this call, the narrowest first. Each is tested first, so that no useless rule is offered. */
export function listOffers(
  proposed: ProposedCall,
  vocabulary: RuleVocabulary,
  lifts: (rule: Rule) => boolean,
): Offer[] {
  return offerCandidates(proposed).filter(({ rule }) => {
    try {
      return lifts(parseRule(rule, vocabulary, { effect: 'allow', from: 'grant' }))
    } catch {
      // Not a valid rule for this tool.
      return false
    }
  })
}

function offerCandidates({ tool: { name }, foreign, notes, sends }: ProposedCall): Offer[] {
  if (foreign) return [{ about: 'tool', rule: `mcp(${foreign.server}/${foreign.tool})` }]
  const paths = notes.map(({ path }) => path)
  const folder = commonFolder(paths)
  const host = commonHost(sends)
  return [
    ...(paths.length === 1
      ? [{ about: 'note' as const, rule: `${name}(${pathText(literalPattern(paths[0]!))})` }]
      : []),
    ...(folder ? [{ about: 'folder' as const, rule: `${name}(${pathText(`${literalPattern(folder)}/**`)})` }] : []),
    ...(host ? [{ about: 'domain' as const, rule: `${name}(domain:${host})` }] : []),
    { about: 'tool', rule: name },
  ]
}

const pathText = (pattern: string): string => (needsPathWord(pattern) ? `path:${pattern}` : pattern)

/** The folder that holds them all, '' when only the vault itself does. */
function commonFolder(paths: readonly string[]): string {
  if (paths.length === 0) return ''
  let folder = folderOf(paths[0]!)
  while (folder !== '' && !paths.every((path) => path.startsWith(`${folder}/`))) folder = folderOf(folder)
  return folder
}

function commonHost(sends: readonly Outbound[]): string | undefined {
  const hosts = new Set(sends.map(({ url }) => (URL.canParse(url) ? new URL(url).hostname : '')))
  const [host = ''] = hosts
  return hosts.size === 1 && host !== '' && !host.startsWith('[') ? host : undefined
}

/** Hunks that can be accepted one by one; undefined if there are fewer than two. */
async function listHunksOf(set: ChangeSet, vault: Pick<ReadableVault, 'read'>): Promise<ChangeHunks[] | undefined> {
  const listed: ChangeHunks[] = []
  const origins = new Map<NotePath, NotePath>()
  for (const [index, change] of set.changes.entries()) {
    if (change.kind === 'move') origins.set(change.to, origins.get(change.path) ?? change.path)
    if (change.kind !== 'edit' || isBuiltOn(set.changes.slice(index + 1), change.path)) continue
    const base = await readOrUndefined(vault, origins.get(change.path) ?? change.path)
    if (base === undefined || base.hash !== change.before || base.encoding !== 'utf-8') continue
    listed.push({ change: index, path: change.path, hunks: listHunks(base.bytes, change.after) })
  }
  return listed.reduce((sum, { hunks }) => sum + hunks.length, 0) > 1 ? listed : undefined
}

/** A change that a later step builds on cannot be split. */
const isBuiltOn = (later: readonly Change[], path: NotePath): boolean => later.some((change) => change.path === path)

async function readOrUndefined(vault: Pick<ReadableVault, 'read'>, path: NotePath) {
  try {
    return await vault.read(path)
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/**
 * Binds an approval to the request: tool, arguments, the bytes before and after every change, all data to be sent, and
 * the session.
 */
export function hashProposal(proposed: ProposedCall, kind: 'call' | 'executable'): string {
  const { tool, source, session, callId, input, effects, notes, sends, pick, plan } = proposed
  return hashText(
    canonicalJson({
      kind,
      tool: tool.name,
      source,
      session,
      callId,
      input,
      effects,
      notes,
      sends,
      pick: pick ?? null,
      changes: plan ? { id: plan.changes.id, ...describeSteps(plan.changes) } : null,
    }),
  )
}

/** Identifies a repeated call, regardless of the state of the notes. */
function repeatKeyOf({ tool, source, session, input }: ProposedCall, kind: 'call' | 'executable'): string {
  return hashText(canonicalJson({ kind, tool: tool.name, source, session, input }))
}

const hashText = (text: string): string => hashBytes(new TextEncoder().encode(text))

/** JSON with sorted keys, for hashing. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) => {
      if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
      const sorted = Object.create(null) as Record<string, unknown>
      for (const key of Object.keys(member).sort()) sorted[key] = (member as Record<string, unknown>)[key]
      return sorted
    }) ?? 'null'
  )
}
