import type { ProposedCall, Ruling } from '../tools/index.js'
import type { Verdict } from './policy/index.js'
import type { Offer, Outcome } from './requests/index.js'

type Denied = Extract<Ruling, { verdict: 'deny' }>

/** A rule or the level says no. */
export function denied({ rule, reason }: Verdict, { tool }: ProposedCall): Denied {
  return {
    verdict: 'deny',
    code: 'denied',
    rule,
    reason: isAboutReading(rule) ? `The rules of this vault do not allow this call of ${tool.name}.` : reason,
    hint: 'Do not try it another way; tell the person what you wanted to do.',
  }
}

/** The model is not told the words of such a rule: they could name a note that it must not know of. */
const isAboutReading = (rule: string): boolean => /^(?:deny|ask): (?:reads|\*)\(/.test(rule)

/** Nobody is there to ask. Says which rule would let it pass, if one can. */
export function unasked({ rule, reason, asks }: Verdict, { tool }: ProposedCall, offers: readonly Offer[]): Denied {
  const isExecutable = asks.some(({ kind }) => kind === 'executable')
  const narrowest = isExecutable ? undefined : offers[0]?.rule
  return {
    verdict: 'deny',
    code: 'needs-approval',
    rule,
    reason: `It needs the approval of a person.${rule === 'hidden notes' ? '' : ` ${isAboutReading(rule) ? 'A rule asks for it.' : reason}`}`,
    hint: narrowest ? `This rule would let it pass: allow: ${narrowest}` : hintWithoutRule(asks, tool.name),
  }
}

function hintWithoutRule(asks: Verdict['asks'], tool: string): string {
  const isPick = asks.length > 0 && asks.every(({ kind }) => kind === 'pick')
  return isPick
    ? `This rule would share all of them without asking: allow: ${tool}`
    : 'No rule can allow this in advance: a person must say yes.'
}

/** What was shown is no longer so. */
export function conflict(reason = 'The note has changed since preview, so nothing was done.'): Denied {
  return {
    verdict: 'deny',
    code: 'conflict',
    rule: 'changed since preview',
    reason,
    hint: 'Read it again and propose the change anew: the new diff will be shown.',
  }
}

/** The person said no, closed the panel, or was not there. */
export function personSaidNo(
  { tool, plan }: ProposedCall,
  { why, words }: Pick<Extract<Outcome, { kind: 'deny' }>, 'why' | 'words'>,
): Denied {
  const isOverwrite = tool.name === 'write_note' && plan?.changes.changes.some(({ kind }) => kind === 'edit')
  const text = isOverwrite ? 'User cancelled overwrite' : 'User cancelled tool execution'
  return {
    verdict: 'deny',
    code: 'denied',
    rule: 'person',
    reason: words ? `${text}: ${words}` : text,
    ...(hints[why] && { hint: hints[why] }),
  }
}

const hints: Partial<Record<Extract<Outcome, { kind: 'deny' }>['why'], string>> = {
  expired: 'Nobody answered in time.',
  repeated: 'The person has already refused this very call in this turn; do something else.',
}
