import { Failure } from '../../errors.js'
import { doTheSame } from '../../vault/index.js'
import type { Allow, Deny, ProposedCall } from '../guard.js'
import { findTool, type RegisteredTool } from '../registry.js'
import type { Notice } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { parseInput } from '../tool-input.js'
import type { GroupMember } from './call-group.js'
import { type Decided, getDecision, proposeWithTimeout } from './propose-call.js'
import type { RunningCall, ToolCall, ToolSetup } from './tool-call.js'

/** A decision on a call that was made together with the other calls of its reply, before any of them ran. */
export interface EarlyDecision extends Decided {
  registered: RegisteredTool
  /** True if changes of the reply were planned before this call, so that its plan may rest on them. */
  hasEarlierChanges: boolean
  /** Titles of earlier changes of the reply that were not applied as planned. */
  unapplied(): readonly string[]
}

interface AheadOptions {
  member: GroupMember
  /** Receives the call as it was first planned. */
  onProposed: (proposed: ProposedCall) => void
}

/**
 * Decides on a call before it is its turn. `setup.context.vault` shows the results of the changes planned before it.
 * Returns undefined if it cannot be planned yet: then it is decided when it runs.
 */
export async function decideAhead(
  call: ToolCall,
  setup: ToolSetup,
  { member, onProposed }: AheadOptions,
): Promise<(Decided & { registered: RegisteredTool }) | undefined> {
  const { signal } = setup.context
  try {
    if (call.refused !== undefined || call.unreadable !== undefined) return undefined
    const { registered, input } = findTool(setup.registry, call, setup.offered)
    let isPlanned = false
    const onStep: ToolSetup['onStep'] = (step) => {
      if (step.step !== 'proposed' || isPlanned) return
      isPlanned = true
      onProposed(step.proposed)
    }
    const running: RunningCall = {
      call,
      setup: { ...setup, onStep },
      startedAt: performance.now(),
      readNotes: new Set(),
      hasRun: false,
    }
    const start = { input: parseInput(registered.tool, input), edited: false }
    const decided = await getDecision(running, registered, start, setup.guard.filterVisible(setup.context), { member })
    return { ...decided, registered }
  } catch {
    signal.throwIfAborted()
    // The same failure is reported when the call runs, unless an earlier call of the reply removes its cause.
    return undefined
  } finally {
    member.leave()
  }
}

/**
 * The decision for a call whose turn has come. What the user approved is used if the call would still do exactly that;
 * otherwise the user is asked again.
 */
export async function confirmDecision(
  running: RunningCall,
  registered: RegisteredTool,
  input: unknown,
  context: ToolContext,
  early: EarlyDecision | undefined,
): Promise<[ProposedCall, Allow | Deny]> {
  const decideNow = async (notices: readonly Notice[] = [], revision = { input, edited: false }) => {
    const decided = await getDecision(running, registered, revision, context, { notices })
    return [decided.proposed, decided.decision] satisfies [ProposedCall, Allow | Deny]
  }
  if (early === undefined || early.registered !== registered) return decideNow()
  const { proposed, decision, revision, planned } = early
  // A note differs from the planned results of the earlier calls, or was changed meanwhile: it is planned again.
  if (decision.verdict === 'deny' && decision.code === 'conflict') return decideNow()
  if (decision.verdict === 'deny') return [proposed, decision]
  // No one was asked. Earlier calls of the reply may have brought in text that now makes the policy ask.
  if (decision.rule !== 'person') return decideNow()
  const { plan } = planned
  if (plan === undefined || !(early.hasEarlierChanges || plan.isAboutWholeVault)) return [proposed, decision]
  const [missing] = early.unapplied()
  const now = await proposeWithTimeout(running, registered, revision, context).catch((error) => {
    if (!(error instanceof Failure) || missing === undefined) throw error
    const reason = `Not done: it builds on an earlier change of this reply that was not applied (${missing}).`
    throw new Failure(error.code, `${reason} ${error.message}`, { hint: error.hint })
  })
  if (now.plan && doTheSame(now.plan.changes, plan.changes)) return [proposed, decision]
  const because =
    missing === undefined
      ? 'The vault has changed since this was shown. This is the updated change.'
      : `An earlier change was not applied as shown (${missing}). This is the updated change.`
  return decideNow([{ kind: 'other', text: because }], revision)
}
