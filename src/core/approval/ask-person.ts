import { Failure } from '../errors.js'
import {
  type Decision,
  type Deny,
  type EditedResult,
  executableNotices,
  type GroupMember,
  type ProposedCall,
  type ReadableVault,
} from '../tools/index.js'
import { type AcceptedHunks, acceptHunks, type ChangeSet, decodeNote, type NotePath } from '../vault/index.js'
import type { ApprovalOutcome, ApprovalQueue } from './approval-queue.js'
import { type ApprovalRequest, allowedPart, type Offer } from './approval-request.js'
import { buildRequest, canonicalJson, hashProposal } from './build-request.js'
import { audienceChanges, type CallFacts, changedTexts } from './call-facts.js'
import type { RememberedGrants } from './grants.js'
import { addedAddresses } from './loaded-addresses.js'
import { splitWords, type WordOrigin } from './outbound.js'
import type { PolicyResult } from './policy.js'

interface AskPersonOptions {
  approvalQueue: ApprovalQueue
  remembered: RememberedGrants
  offers: readonly Offer[]
  policy: PolicyResult
  /** Unfiltered: the user sees everything. */
  vault: ReadableVault
  /** Addresses that opening a changed note would load. */
  loads: CallFacts['loads']
  /** The origins of the words that would be sent. */
  words: readonly WordOrigin[]
  /** Text typed into the panel counts as typed by the user. */
  recordUserText: (text: string) => void
  signal: AbortSignal
  /** The call's place among the calls of its reply, which are asked about together. */
  member?: GroupMember | undefined
  /** Evaluates the policy again: an earlier answer may have covered this call too. */
  applyPolicyAgain: () => Promise<PolicyResult>
}

/** Asks about the call itself, then about what it would let other programs run: two questions with separate answers. */
export async function askPerson(proposed: ProposedCall, asking: AskPersonOptions): Promise<Decision> {
  const { asks, rule } = asking.policy
  const isAsked = asks.some(({ kind }) => kind !== 'executable')
  const decision: Decision = isAsked
    ? await askOne('call', proposed, asking)
    : { verdict: 'allow', loggedAs: 'allowed', rule }
  if (decision.verdict !== 'allow' || !asks.some(({ kind }) => kind === 'executable')) return decision
  const second = await askOne('executable', withAcceptedChanges(proposed, decision.changes), asking)
  return second.verdict === 'allow' && decision.loggedAs !== 'allowed' ? decision : second
}

/** The second question covers the changes left after the first. */
function withAcceptedChanges(proposed: ProposedCall, changes: ChangeSet | undefined): ProposedCall {
  return proposed.plan && changes ? { ...proposed, plan: { ...proposed.plan, changes } } : proposed
}

async function askOne(
  kind: ApprovalRequest['kind'],
  proposed: ProposedCall,
  asking: AskPersonOptions,
): Promise<Decision> {
  const { approvalQueue, policy, vault, signal, applyPolicyAgain } = asking
  const isStale = async () =>
    proposed.plan !== undefined && (await changedSince(proposed.plan.changes, vault)).length > 0
  const draft = await buildRequest(kind, proposed, policy.asks, kind === 'call' ? asking.offers : [], asking)
  let decision: Decision | undefined

  async function decisionOn(outcome: ApprovalOutcome): Promise<Decision> {
    if (outcome.kind === 'deny') {
      asking.recordUserText(outcome.words ?? '')
      return deniedByPerson(proposed, outcome)
    }
    if (outcome.kind === 'stale') return changedSincePreview()
    if (outcome.kind === 'covered') return decisionOnCovered(proposed, await applyPolicyAgain(), asking.offers)
    // The call and the notes must still be as shown.
    if (hashProposal(proposed, kind) !== outcome.request.hash)
      return changedSincePreview('The call changed after it was shown, so nothing was done.')
    if (await isStale()) return changedSincePreview()
    return decisionOnApproval(proposed, asking, outcome)
  }

  const outcome = await approvalQueue.ask(draft, {
    signal,
    ...(kind === 'call' && asking.member && { member: asking.member }),
    async before() {
      if (await isStale()) return 'stale'
      return kind === 'executable' || isStillAsked(await applyPolicyAgain()) ? 'ask' : 'covered'
    },
    async after(outcome) {
      decision = await decisionOn(outcome)
    },
  })
  return decision ?? decisionOn(outcome)
}

const isStillAsked = ({ effect, asks }: PolicyResult): boolean =>
  effect === 'ask' && asks.some(({ kind }) => kind !== 'executable')

function decisionOnCovered(proposed: ProposedCall, policy: PolicyResult, offers: readonly Offer[]): Decision {
  if (policy.effect === 'deny') return deniedByPolicy(policy, proposed)
  // New text in the conversation: the grant no longer covers the call.
  if (isStillAsked(policy)) return needsApproval(policy, proposed, offers)
  return { verdict: 'allow', loggedAs: proposed.edited ? 'edited' : 'allowed', rule: policy.rule }
}

async function decisionOnApproval(
  proposed: ProposedCall,
  { remembered, vault, recordUserText }: AskPersonOptions,
  { answer, request }: Extract<ApprovalOutcome, { kind: 'allow' }>,
): Promise<Decision> {
  if (answer.touchesHidden) return { verdict: 'revise', input: proposed.input, touchesHidden: true }
  if (answer.results) {
    const results = answer.results.filter(({ change, text }) => shownText(request, change) !== text)
    if (results.length > 0) {
      for (const { change, text } of results) recordUserText(newWords(shownText(request, change), text))
      return { verdict: 'revise', input: proposed.input, results }
    }
  }
  if (answer.input !== undefined && canonicalJson(answer.input) !== canonicalJson(request.input)) {
    recordUserText(newWords(request.input, answer.input))
    return { verdict: 'revise', input: answer.input }
  }
  const part =
    answer.hunks && proposed.plan ? await acceptedPart(proposed.plan.changes, answer.hunks, request, vault) : undefined
  if (part === 'changed') return changedSincePreview()
  if (part === 'more') {
    return {
      verdict: 'deny',
      code: 'denied',
      rule: 'accepted part',
      reason:
        'Nothing was written: the accepted part on its own would run, load or reveal something that was not shown for approval.',
    }
  }
  if (part !== undefined && part.changes.changes.length === 0) return deniedByPerson(proposed, { why: 'person' })
  await remembered.remember(answer.scope ?? 'once', answer.rule ?? request.offers[0]?.rule, proposed)
  const isLess =
    part !== undefined || (answer.picked !== undefined && answer.picked.length < (request.pick?.length ?? 0))
  return {
    verdict: 'allow',
    loggedAs: isLess || proposed.edited ? 'edited' : 'approved',
    rule: 'person',
    ...(part && { changes: part.changes, noteForModel: part.noteForModel }),
    ...(answer.picked && { picked: answer.picked as readonly NotePath[] }),
  }
}

const shownText = ({ results = [] }: Pick<ApprovalRequest, 'results'>, change: number): EditedResult['text'] =>
  results.find((result) => result.change === change)?.text ?? ''

/** Words the user added to the arguments or the text. The other words are still the model's. */
function newWords(before: unknown, after: unknown): string {
  const known = new Set(splitWords(canonicalJson(before)))
  return splitWords(canonicalJson(after))
    .filter((word) => !known.has(word))
    .join(' ')
}

interface AcceptedPart {
  changes: ChangeSet
  noteForModel: string
}

/**
 * The accepted hunks of a set; undefined if all are accepted, `changed` if the notes differ from what was shown, `more`
 * if the part alone would have an effect that was not asked about (and the whole would not have): leave text that other
 * programs run, make a viewer load something, or change who can see a note.
 */
async function acceptedPart(
  set: ChangeSet,
  accepted: readonly AcceptedHunks[],
  request: Pick<ApprovalRequest, 'hunks'>,
  vault: Pick<ReadableVault, 'read'>,
): Promise<AcceptedPart | 'changed' | 'more' | undefined> {
  const part = allowedPart(request, { hunks: accepted })
  if (part === undefined) return undefined
  try {
    const changes = await acceptHunks(set, accepted, (path) => vault.read(path))
    if ((await runsMore(set, changes, vault)) || (await loadsOrSharesMore(set, changes, vault))) return 'more'
    return {
      changes,
      noteForModel: `The user accepted ${part.allowed} of ${part.all} changes in the diff. The others were not written.`,
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'conflict') return 'changed'
    throw error
  }
}

async function runsMore(whole: ChangeSet, part: ChangeSet, vault: Pick<ReadableVault, 'read'>): Promise<boolean> {
  const count = async ({ changes }: ChangeSet) => {
    let found = 0
    for (const change of changes) {
      if (change.kind !== 'edit') continue
      const before = (await vault.read(change.path))?.text ?? ''
      found += executableNotices(change.path, before, decodeNote(change.after).text).length
    }
    return found
  }
  return (await count(part)) > (await count(whole))
}

async function loadsOrSharesMore(
  whole: ChangeSet,
  part: ChangeSet,
  vault: Pick<ReadableVault, 'read'>,
): Promise<boolean> {
  const effects = async (set: ChangeSet) =>
    (await changedTexts(set, vault)).flatMap((text) => [
      ...addedAddresses(text.path, text.before ?? '', text.after).map(({ url }) => url),
      ...audienceChanges(text),
    ])
  const known = new Set(await effects(whole))
  return (await effects(part)).some((effect) => !known.has(effect))
}

/**
 * Notes that have changed since a change set was planned. Applying detects this too; checking avoids a pointless
 * request.
 */
async function changedSince(set: ChangeSet, vault: Pick<ReadableVault, 'read' | 'stat'>): Promise<NotePath[]> {
  const changed = new Set<NotePath>()
  /** Paths already affected by earlier steps of the set. */
  const own = new Set<NotePath>()
  for (const change of set.changes) {
    const { kind, path } = change
    // Hidden notes are not read here; applying compares them.
    const isHidden = kind === 'edit' && change.hiddenBefore !== undefined
    if (!own.has(path) && !isHidden) {
      if (kind === 'create') {
        if ((await vault.stat(path)) !== undefined) changed.add(path)
      } else if (kind !== 'append' && change.before !== undefined) {
        if ((await hashOf(vault, path)) !== change.before) changed.add(path)
      }
    }
    own.add(path)
    if (kind === 'move') own.add(change.to)
  }
  return [...changed]
}

async function hashOf(vault: Pick<ReadableVault, 'read'>, path: NotePath): Promise<string | undefined> {
  try {
    return (await vault.read(path))?.hash
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

/** A rule or the level says no. */
export function deniedByPolicy(policy: PolicyResult, { tool }: ProposedCall): Deny {
  return {
    verdict: 'deny',
    code: 'denied',
    rule: policy.rule,
    reason: restrictsReading(policy)
      ? `The rules of this vault do not allow this call of ${tool.name}.`
      : policy.reason,
    modelHint: 'Do not try it another way. Tell the user what you wanted to do.',
  }
}

/** True for a rule that restricts reading. The model does not get its text, which could name a hidden note. */
function restrictsReading({ restriction }: PolicyResult): boolean {
  if (restriction?.selector === undefined || restriction.selector.kind === 'outside') return false
  const { subject } = restriction
  return subject.kind === 'any' || (subject.kind === 'effect' && subject.effect === 'reads')
}

/** The denial when no user is available. Names the rule that would allow the call, if one can. */
export function needsApproval(policy: PolicyResult, { tool }: ProposedCall, offers: readonly Offer[]): Deny {
  const { rule, asks } = policy
  const isExecutable = asks.some(({ kind }) => kind === 'executable')
  const narrowest = isExecutable ? undefined : offers[0]?.rule
  return {
    verdict: 'deny',
    code: 'needs-approval',
    rule,
    reason: whyApproval(policy),
    hint: narrowest ? `To allow it in advance, add the rule: allow: ${narrowest}` : hintWithoutRule(asks, tool.name),
  }
}

function whyApproval(policy: PolicyResult): string {
  const [first] = policy.asks
  if (first?.kind === 'hidden') return 'Not done: this needs approval.'
  if (first?.action !== undefined) return `Not done: this ${first.action}, which needs approval.`
  return `Not done: this needs approval. ${restrictsReading(policy) ? 'A rule requires it.' : policy.reason}`
}

function hintWithoutRule(asks: PolicyResult['asks'], tool: string): string {
  const isPick = asks.length > 0 && asks.every(({ kind }) => kind === 'pick')
  return isPick
    ? `To share all of them without asking, add the rule: allow: ${tool}`
    : 'No rule can allow this in advance.'
}

/** The notes changed after the preview. */
export function changedSincePreview(reason = 'The note has changed since the preview, so nothing was done.'): Deny {
  return {
    verdict: 'deny',
    code: 'conflict',
    rule: 'changed since preview',
    reason,
    modelHint: 'Read it again and propose the change again. The new diff will be shown.',
  }
}

/** The user denied the call, closed the panel, or did not answer. */
export function deniedByPerson(
  { tool, plan }: ProposedCall,
  { why, words }: Pick<Extract<ApprovalOutcome, { kind: 'deny' }>, 'why' | 'words'>,
): Deny {
  const isOverwrite = tool.name === 'write_note' && plan?.changes.changes.some(({ kind }) => kind === 'edit')
  const text = isOverwrite ? 'User cancelled overwrite' : 'User cancelled tool execution'
  return {
    verdict: 'deny',
    code: 'denied',
    rule: 'person',
    reason: words ? `${text}: ${words}` : text,
    forUser: isOverwrite ? 'You denied overwriting it.' : 'You denied this.',
    ...(why === 'expired' && { modelHint: noAnswer, forUser: noAnswer }),
    ...(why === 'repeated' && { modelHint: 'The user has already denied this call in this turn. Do something else.' }),
  }
}

const noAnswer = 'The request was not answered in time.'
