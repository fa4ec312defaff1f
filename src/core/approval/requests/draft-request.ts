import { visibleText } from '../../text/index.js'
import { inputSchema, type Notice, type ProposedCall, type ToolContext } from '../../tools/index.js'
import { type NotePath, showChanges } from '../../vault/index.js'
import { type Ask, judgedCall } from '../policy/index.js'
import type { ApprovalRequest, Offer, Scope } from './approval-request.js'
import { bindCall, sameCall } from './bind-call.js'
import { canonicalJson } from './canonical-json.js'
import { listHunksOf } from './list-hunks-of.js'

/** A request before the desk gives it a number and a time. */
export interface RequestDraft extends Omit<ApprovalRequest, 'id' | 'createdAt' | 'expiresAt' | 'askedLately'> {
  /** The same for the same call, whatever the notes are like by now. */
  repeatKey: string
}

/** Diffs are shown whole: a person scrolls, nothing is cut that could matter. */
const diffLimit = 8_000_000

/** Everything a person sees, from the very values that will be used. */
export async function draftRequest(
  kind: ApprovalRequest['kind'],
  proposed: ProposedCall,
  asks: readonly Ask[],
  offers: readonly Offer[],
  { vault, loads, words }: Pick<ToolContext, 'vault'> & Pick<ApprovalRequest, 'loads' | 'words'>,
): Promise<RequestDraft> {
  const { tool, source, session, turn, callId, input, effects, notes, sends, pick, plan, edited } = proposed
  const hunks = plan?.inPart && kind === 'call' ? await listHunksOf(plan.changes, vault) : undefined
  const shown: Omit<RequestDraft, 'hidden'> = {
    kind,
    hash: bindCall(proposed, kind),
    repeatKey: sameCall(proposed, kind),
    session,
    ...(turn !== undefined && { turn }),
    callId,
    tool: { name: tool.name, title: tool.title, source, effects: [...effects] },
    title: plan?.changes.title ?? tool.title,
    reasons: asks.filter((ask) => (ask.kind === 'executable') === (kind === 'executable')).map(({ reason }) => reason),
    // A copy: what is shown must not change under the person's eyes.
    input: JSON.parse(canonicalJson(input)),
    ...(kind === 'call' && { schema: inputSchema(tool) }),
    edited,
    notes: notes.map((note) => ({ ...note })),
    ...(plan && { changes: await showChanges(plan.changes, (path) => vault.read(path), diffLimit) }),
    ...(hunks && { hunks }),
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
  const hidden = countHidden({ ...shown, changes: [], hunks: [], schema: {} })
  return hidden === 0 ? shown : { ...shown, hidden }
}

async function sizesOf(paths: readonly NotePath[], vault: Pick<ToolContext['vault'], 'stat'>) {
  const stamps = await Promise.all(paths.map(async (path) => [path, (await vault.stat(path))?.size] as const))
  return Object.fromEntries(stamps.flatMap(([path, size]) => (size === undefined ? [] : [[path, size]])))
}

/** In every text of a value; what changes bring into notes is among the arguments, or told by a notice. */
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
  asks: readonly Ask[],
  offers: readonly Offer[],
): Scope[] {
  if (kind === 'executable') return ['once']
  // What a rule, taint or a picker asks for is asked again next time, whatever was said.
  const isLevelOnly = asks.every((ask) => ask.kind === 'level' || ask.kind === 'executable')
  const forTurn = plan !== undefined && turn !== undefined && isLevelOnly && offers.length > 0
  return [
    'once',
    ...(forTurn ? ['change-set' as const] : []),
    ...(offers.length > 0 ? ['session' as const, 'always' as const] : []),
  ]
}

/** The one kind of call where Enter may say yes. */
function isPlainReading(kind: ApprovalRequest['kind'], proposed: ProposedCall): boolean {
  const { effects, sends, picks } = judgedCall(proposed)
  return kind === 'call' && !picks && sends.length === 0 && effects.every((effect) => effect === 'reads')
}
