import { Failure } from '../../errors.js'
import { isRecord } from '../../is-record.js'
import { type Change, type ChangeSet, doTheSame } from '../../vault/index.js'
import type { Allow, Deny, ProposedCall, ReachedNote } from '../guard.js'
import { checkStillThere, findTool, type RegisteredTool } from '../registry.js'
import type { Notice, Plan } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { parseInput } from '../tool-input.js'
import type { GroupMember } from './call-group.js'
import { withEditedResults } from './edited-results.js'
import { recordReads } from './provenance.js'
import type { RunningCall, ToolCall, ToolSetup } from './tool-call.js'
import { defaultTimeoutMs, withTimeout } from './with-timeout.js'

/** A decision, and what it was made on. */
export interface Decided {
  /** As decided, with the user's edits. */
  proposed: ProposedCall
  decision: Allow | Deny
  /** The arguments as the user left them. */
  revision: Revision
  /** As planned from these arguments, before the user edited the text. */
  planned: ProposedCall
}

interface DecisionOptions {
  member?: GroupMember | undefined
  /** Shown above the tool's own notices. */
  notices?: readonly Notice[]
}

/**
 * Proposes the call and gets a decision on it. Edited arguments are proposed and decided again, and so is edited text.
 * A plan that depends on the whole vault is computed again after the approval, and shown again if it has changed.
 */
export async function getDecision(
  running: RunningCall,
  registered: RegisteredTool,
  start: Revision,
  context: ToolContext,
  { member, notices = [] }: DecisionOptions = {},
): Promise<Decided> {
  const { setup } = running
  let revision = start
  let planned = await proposeWithTimeout(running, registered, revision, context)
  let proposed = withNotices(planned, notices)
  for (let changes = 0; changes <= maxReplans; ) {
    const isAsPlanned = proposed.plan && snapshotChanges(proposed.plan.changes)
    const decision = await setup.guard.decide(proposed, setup.context, member)
    context.signal.throwIfAborted()
    if (isAsPlanned?.() === false) throw alteredError()
    if (decision.verdict === 'revise') {
      const { input, touchesHidden, results } = decision
      if (results) {
        proposed = await withEditedResults(proposed, results, context.vault)
        continue
      }
      revision = touchesHidden
        ? { ...revision, touchesHidden }
        : { ...revision, input: parseInput(registered.tool, input), edited: true }
      planned = await proposeWithTimeout(running, registered, revision, context)
      proposed = planned
      continue
    }
    const wasAsked = decision.verdict === 'allow' && decision.loggedAs !== 'allowed'
    if (!wasAsked || !proposed.plan?.isAboutWholeVault) return { proposed, decision, revision, planned }
    const now = await proposeWithTimeout(running, registered, revision, context)
    if (now.plan && planned.plan && doTheSame(now.plan.changes, planned.plan.changes))
      return { proposed, decision, revision, planned }
    changes++
    planned = now
    proposed = withNotices(now, [changedNotice])
  }
  throw new Failure('conflict', 'Nothing was done, because the vault kept changing during approval.', {
    hint: 'Try again when other programs have finished writing.',
  })
}

/** The call as edited by the user. */
export interface Revision {
  input: unknown
  edited: boolean
  touchesHidden?: true
}

/** How often a changed plan is shown again before the call fails. */
const maxReplans = 5

const changedNotice: Notice = {
  kind: 'links',
  text: 'The vault has changed since this was shown. This is the updated change.',
}

function withNotices(proposed: ProposedCall, notices: readonly Notice[]): ProposedCall {
  if (notices.length === 0 || proposed.plan === undefined) return proposed
  return { ...proposed, plan: { ...proposed.plan, notices: [...notices, ...(proposed.plan.notices ?? [])] } }
}

export async function proposeWithTimeout(
  running: RunningCall,
  registered: RegisteredTool,
  { input, edited, touchesHidden }: Revision,
  context: ToolContext,
): Promise<ProposedCall> {
  const { call, setup } = running
  const { name, timeoutMs = defaultTimeoutMs } = registered.tool
  const vault = recordReads(context.vault, running.readNotes)
  const proposed = await withTimeout(name, timeoutMs, context.signal, (signal) =>
    proposeCall(call, registered, input, edited, {
      ...context,
      vault,
      signal,
      ...(touchesHidden && { touchesHidden }),
    }),
  )
  checkStillThere(registered, setup.registry)
  setup.onStep?.({ step: 'proposed', proposed })
  return proposed
}

export function alteredError(): Failure {
  return new Failure('conflict', 'The change is not the one that was shown, so it was not applied.')
}

/** Proposes a call without asking, logging or running anything. */
export async function previewCall(
  call: ToolCall,
  { registry, offered, guard, context }: Pick<ToolSetup, 'registry' | 'offered' | 'guard' | 'context'>,
): Promise<ProposedCall> {
  const { registered, input } = findTool(registry, call, offered)
  return proposeCall(call, registered, parseInput(registered.tool, input), false, guard.filterVisible(context))
}

/** Determines the effects of a call, down to the bytes, without running it. */
async function proposeCall(
  call: ToolCall,
  { tool, source, foreign }: RegisteredTool,
  input: unknown,
  edited: boolean,
  context: ToolContext,
): Promise<ProposedCall> {
  const origin = { tool, source, ...(foreign && { foreign }) }
  const about = { callId: call.id, session: context.session, turn: call.turn, ...origin, edited }
  if (tool.plan !== undefined) {
    const plan = checkedPlan(await tool.plan(input, context), tool.name)
    const effects = plan.effects ?? tool.effects
    return {
      ...about,
      input,
      effects,
      notes: writtenNotes(plan.changes, effects.includes('destroys')),
      sends: [],
      plan,
    }
  }
  const reach = (await tool.reaches?.(input, context)) ?? {}
  const read = [...new Set([...(reach.notes ?? []), ...(reach.pick ?? [])])]
  return {
    ...about,
    input: reach.input ?? input,
    effects: tool.effects,
    notes: read.map((path) => ({ path, access: 'reads' })),
    sends: reach.sends ?? [],
    ...(reach.pick && { pick: reach.pick }),
    ...(reach.notices && { notices: reach.notices }),
  }
}

/** A plan as `plan` must return it. Tools that users write may return something else. */
function checkedPlan(plan: unknown, tool: string): Plan {
  const changes = isRecord(plan) && isRecord(plan.changes) ? plan.changes.changes : undefined
  if (Array.isArray(changes) && isRecord(plan) && 'output' in plan) return plan as unknown as Plan
  throw new Failure('internal', `Nothing was changed: the tool ${tool} returned an invalid value from plan.`, {
    hint: 'plan must return { changes, output }: changes from changeSet(title, changes), and output for render.',
  })
}

function writtenNotes({ changes }: ChangeSet, destroys: boolean): ReachedNote[] {
  const notes = new Map<string, ReachedNote>()
  const add = (path: ReachedNote['path'], access: ReachedNote['access']) => {
    if (notes.get(path)?.access !== 'destroys') notes.set(path, { path, access })
  }
  for (const change of changes) {
    if (change.kind === 'move') {
      add(change.path, 'destroys')
      add(change.to, 'writes')
    } else if (change.kind === 'trash') add(change.path, 'destroys')
    else add(change.path, change.kind === 'edit' && destroys && changes.length === 1 ? 'destroys' : 'writes')
  }
  return [...notes.values()]
}

/**
 * Snapshots a change set: its paths, the hashes of the bytes it was planned from, and a copy of its new bytes. The
 * returned function checks whether the set is unchanged. Comparing copies takes a hundredth of the time of hashing
 * thousands of notes, which would block other requests.
 */
export function snapshotChanges(set: ChangeSet): () => boolean {
  const kept = outlineOf(set)
  const copies = set.changes.map((change) => bytesOf(change)?.slice())
  return () => outlineOf(set) === kept && set.changes.every((change, at) => areSameBytes(bytesOf(change), copies[at]))
}

function outlineOf({ id, session, emptied, changes }: ChangeSet): string {
  const steps = changes.map((change) => [
    change.kind,
    change.path,
    'to' in change ? change.to : null,
    'before' in change ? change.before : null,
    'hiddenBefore' in change,
  ])
  return JSON.stringify([id, session, emptied, steps])
}

function bytesOf(change: Change): Uint8Array | undefined {
  if ('after' in change) return change.after
  return 'added' in change ? change.added : undefined
}

function areSameBytes(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one?.length !== other?.length) return false
  return one === undefined || one.every((byte, at) => byte === other![at])
}
