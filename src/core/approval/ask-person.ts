import type { ProposedCall, ReadableVault, Ruling } from '../tools/index.js'
import type { ChangeSet, NotePath } from '../vault/index.js'
import { acceptedPart } from './accepted-part.js'
import { type WordOrigin, wordsAndSigns } from './leaving/index.js'
import type { Facts, Verdict } from './policy/index.js'
import type { RememberedGrants } from './remembered-grants.js'
import {
  type ApprovalDesk,
  type ApprovalRequest,
  bindCall,
  canonicalJson,
  changedSince,
  draftRequest,
  type Offer,
  type Outcome,
} from './requests/index.js'
import { conflict, denied, personSaidNo, unasked } from './rulings.js'

export interface Asking {
  desk: ApprovalDesk
  remembered: RememberedGrants
  offers: readonly Offer[]
  verdict: Verdict
  /** Not screened: the person sees everything. */
  vault: ReadableVault
  /** What opening a changed note would load. */
  loads: Facts['loads']
  /** Where the words come from that would leave. */
  words: readonly WordOrigin[]
  /** What the person types into the panel is theirs too. */
  hear: (text: string) => void
  signal: AbortSignal
  /** An answer that came before may have settled this one too. */
  judgeAgain: () => Promise<Verdict>
}

/** The call itself, then what it would let other programs run: two questions, each with its own answer. */
export async function askPerson(proposed: ProposedCall, asking: Asking): Promise<Ruling> {
  const { asks, rule } = asking.verdict
  const isAsked = asks.some(({ kind }) => kind !== 'executable')
  const ruling: Ruling = isAsked
    ? await askOne('call', proposed, asking)
    : { verdict: 'allow', decision: 'allowed', rule }
  if (ruling.verdict !== 'allow' || !asks.some(({ kind }) => kind === 'executable')) return ruling
  const second = await askOne('executable', acceptedOf(proposed, ruling.changes), asking)
  return second.verdict === 'allow' && ruling.decision !== 'allowed' ? ruling : second
}

/** The second question is about what is left after the first. */
function acceptedOf(proposed: ProposedCall, changes: ChangeSet | undefined): ProposedCall {
  return proposed.plan && changes ? { ...proposed, plan: { ...proposed.plan, changes } } : proposed
}

async function askOne(kind: ApprovalRequest['kind'], proposed: ProposedCall, asking: Asking): Promise<Ruling> {
  const { desk, verdict, vault, signal, judgeAgain } = asking
  const isStale = async () =>
    proposed.plan !== undefined && (await changedSince(proposed.plan.changes, vault)).length > 0
  const draft = await draftRequest(kind, proposed, verdict.asks, kind === 'call' ? asking.offers : [], asking)
  let ruling: Ruling | undefined

  async function rulingOn(outcome: Outcome): Promise<Ruling> {
    if (outcome.kind === 'deny') {
      asking.hear(outcome.words ?? '')
      return personSaidNo(proposed, outcome)
    }
    if (outcome.kind === 'stale') return conflict()
    if (outcome.kind === 'covered') return covered(proposed, await judgeAgain(), asking.offers)
    // What was shown is what will happen: nobody has touched the call, and the notes are as they were.
    if (bindCall(proposed, kind) !== outcome.request.hash) return conflict('The call was altered after it was shown.')
    if (await isStale()) return conflict()
    return approved(proposed, asking, outcome)
  }

  const outcome = await desk.ask(draft, {
    signal,
    async before() {
      if (await isStale()) return 'stale'
      return kind === 'executable' || isStillAsked(await judgeAgain()) ? 'ask' : 'covered'
    },
    async after(outcome) {
      ruling = await rulingOn(outcome)
    },
  })
  return ruling ?? rulingOn(outcome)
}

const isStillAsked = ({ effect, asks }: Verdict): boolean =>
  effect === 'ask' && asks.some(({ kind }) => kind !== 'executable')

function covered(proposed: ProposedCall, verdict: Verdict, offers: readonly Offer[]): Ruling {
  if (verdict.effect === 'deny') return denied(verdict, proposed)
  // Something has come into the conversation since: what covered it does so no longer.
  if (isStillAsked(verdict)) return unasked(verdict, proposed, offers)
  return { verdict: 'allow', decision: proposed.edited ? 'edited' : 'allowed', rule: verdict.rule }
}

async function approved(
  proposed: ProposedCall,
  { remembered, vault, hear }: Asking,
  { answer, request }: Extract<Outcome, { kind: 'allow' }>,
): Promise<Ruling> {
  if (answer.touchesHidden) return { verdict: 'revise', input: proposed.input, touchesHidden: true }
  if (answer.input !== undefined && canonicalJson(answer.input) !== canonicalJson(request.input)) {
    hear(newWords(request.input, answer.input))
    return { verdict: 'revise', input: answer.input }
  }
  const part =
    answer.hunks && proposed.plan ? await acceptedPart(proposed.plan.changes, answer.hunks, request, vault) : undefined
  if (part === 'changed') return conflict()
  if (part === 'more') {
    return {
      verdict: 'deny',
      code: 'denied',
      rule: 'accepted part',
      reason:
        'The accepted part alone would run, load or show something that was not asked about, so nothing was written.',
    }
  }
  if (part !== undefined && part.changes.changes.length === 0) return personSaidNo(proposed, { why: 'person' })
  await remembered.remember(answer.scope ?? 'once', answer.rule ?? request.offers[0]?.rule, proposed)
  const isLess =
    part !== undefined || (answer.picked !== undefined && answer.picked.length < (request.pick?.length ?? 0))
  return {
    verdict: 'allow',
    decision: isLess || proposed.edited ? 'edited' : 'approved',
    rule: 'person',
    ...(part && { changes: part.changes, told: part.told }),
    ...(answer.picked && { picked: answer.picked as readonly NotePath[] }),
  }
}

/** Of arguments that the person changed, the words that were not there before: the others are still the model's. */
function newWords(before: unknown, after: unknown): string {
  const known = new Set(wordsAndSigns(canonicalJson(before)))
  return wordsAndSigns(canonicalJson(after))
    .filter((word) => !known.has(word))
    .join(' ')
}
