import type { Effect } from '../../tools/index.js'
import { matchesNote, type Rule, ruleName } from '../rules/index.js'
import { effectsOf, type Facts, type JudgedCall } from './call-facts.js'
import { type ConsentLevel, levelSays } from './consent-level.js'
import type { Grant } from './grant.js'
import { covers, names, restricts } from './weigh-rule.js'

export interface Verdict {
  effect: 'allow' | 'ask' | 'deny'
  /** What decided: `deny: reads(folder:Journal)`, `grant: edit_note(A.md)`, `level:ask`, `taint`, `words`, `pick`, `loads`, `audience`, `executable`. */
  rule: string
  /** One sentence for a person. */
  reason: string
  /** Why a person has to say yes: for `ask`, and for `deny` at a level where nobody is asked. */
  asks: Ask[]
}

export interface Ask {
  /** Only `words`, `level` and `pick` can be lifted by a rule that allows. */
  kind: 'taint' | 'words' | 'rule' | 'level' | 'pick' | 'loads' | 'audience' | 'executable' | 'hidden'
  rule: string
  reason: string
  /** With `level`: the effects that nothing covers. */
  effects?: Effect[]
}

/**
 * The one policy. Deny beats ask beats allow, whatever the order. What the level says is lifted by rules and grants
 * that allow; what a rule asks, taint, text that loads or runs something, a change of who can see a note, and the levels
 * `read-only` and `ask-all` are not. Words that leave and are not the person's own need a rule that says where to.
 */
export function decide(
  call: JudgedCall,
  facts: Facts,
  rules: readonly Rule[],
  level: ConsentLevel,
  grants: readonly Grant[],
): Verdict {
  const denying = firstByName(rules.filter((rule) => rule.effect === 'deny' && restricts(rule, call, facts)))
  if (denying !== undefined) {
    return { effect: 'deny', rule: ruleName(denying), reason: whyDenied(denying, facts), asks: [] }
  }
  const effects = effectsOf(call, facts)
  const refused = effects.find((effect) => levelSays(level, effect, call.isUndoable) === 'deny')
  if (refused !== undefined) {
    const reason = `The consent level is ${level}, and ${call.tool} ${verbs[refused]}.`
    return { effect: 'deny', rule: `level:${level}`, reason, asks: [] }
  }
  const allowing = [
    ...rules.filter(({ effect }) => effect === 'allow'),
    // Whoever said "from now on" did not mean a book.
    ...(facts.isLarge ? [] : grants.map(({ rule }) => ({ ...rule, effect: 'allow' as const, from: 'grant' }))),
  ]
  const asks = reasonsToAsk(call, facts, effects, rules, level, allowing)
  if (asks.length > 0) {
    const { rule, reason } = asks[0]
    return { effect: level === 'locked' ? 'deny' : 'ask', rule, reason, asks }
  }
  return allowed(call, facts, effects, level, allowing)
}

/** Of what lies outside a project only that is named which the call itself has named: where it would write. */
function whyDenied({ selector, text }: Rule, { notes }: Facts): string {
  if (selector?.kind !== 'outside') return `A rule denies it: ${text}.`
  const named = notes.filter((note) => !note.isRead && matchesNote(selector, note, 'wide')).map(({ paths }) => paths[0])
  if (named.length > 0) return `${named.join(', ')} ${named.length === 1 ? 'is' : 'are'} ${text}.`
  return `It would read or change notes that are ${text}.`
}

function reasonsToAsk(
  call: JudgedCall,
  facts: Facts,
  effects: readonly Effect[],
  rules: readonly Rule[],
  level: ConsentLevel,
  allowing: readonly Rule[],
): Ask[] {
  const asks: Ask[] = []
  if (facts.isTainted && effects.includes('reaches-network')) {
    const reason =
      'Your notes and text from elsewhere are both in this conversation, so anything sent out is shown first.'
    asks.push({ kind: 'taint', rule: 'taint', reason })
  } else if (facts.isUnsaid && !allowing.some((rule) => names(rule, call))) {
    const reason = 'Notes are in this conversation, and not all that would be sent is what you typed.'
    asks.push({ kind: 'words', rule: 'words', reason })
  }
  const asking = firstByName(rules.filter((rule) => rule.effect === 'ask' && restricts(rule, call, facts)))
  if (asking !== undefined) {
    asks.push({ kind: 'rule', rule: ruleName(asking), reason: `A rule asks for it: ${asking.text}.` })
  }
  const uncovered = effects.filter(
    (effect) =>
      levelSays(level, effect, call.isUndoable) === 'ask' &&
      (level === 'ask-all' || !allowing.some((rule) => covers(rule, effect, call, facts))),
  )
  if (uncovered.length > 0 || level === 'ask-all') {
    asks.push({
      kind: 'level',
      rule: `level:${level}`,
      reason: levelReason(level, call, uncovered),
      effects: uncovered,
    })
  }
  // Rules about reading at large do not say which notes to share; one that names the tool does.
  const isPicked = allowing.some((rule) => rule.subject.kind === 'tool' && covers(rule, 'reads', call, facts))
  if (call.picks && level !== 'auto' && !isPicked) {
    asks.push({ kind: 'pick', rule: 'pick', reason: 'You choose which of these notes to share.' })
  }
  if (facts.loads.length > 0) {
    const reason =
      'Whoever opens the note would load something from elsewhere, and could give away what its address says.'
    asks.push({ kind: 'loads', rule: 'loads', reason })
  }
  if (facts.audience.length > 0) {
    asks.push({
      kind: 'audience',
      rule: 'audience',
      reason: `It changes who can see a note. ${facts.audience.join(' ')}`,
    })
  }
  if (call.concernsHidden) asks.push({ kind: 'hidden', rule: 'hidden notes', reason: hiddenReason })
  if (call.isExecutable) {
    asks.push({ kind: 'executable', rule: 'executable', reason: 'It writes text that another program would run.' })
  }
  return asks
}

const hiddenReason = 'It concerns notes that are private or excluded, which only you may know of.'

function levelReason(level: ConsentLevel, { tool }: JudgedCall, effects: readonly Effect[]): string {
  if (level === 'ask-all') return 'The consent level is ask-all: every call asks.'
  return `The consent level is ${level}, and ${tool} ${effects.map((effect) => verbs[effect]).join(' and ')}.`
}

const verbs: Record<Effect, string> = {
  reads: 'reads notes',
  writes: 'changes notes',
  destroys: 'overwrites, renames or deletes',
  'reaches-network': 'reaches the network',
}

/** Names the rule that made the difference, or the level when it would have passed anyway. */
function allowed(
  call: JudgedCall,
  facts: Facts,
  effects: readonly Effect[],
  level: ConsentLevel,
  allowing: readonly Rule[],
): Verdict {
  const lifted = effects.find((effect) => levelSays(level, effect, call.isUndoable) === 'ask')
  const deciding = lifted ?? (call.picks && level !== 'auto' ? 'reads' : undefined)
  const naming = facts.isUnsaid ? firstByName(allowing.filter((each) => names(each, call))) : undefined
  const rule =
    naming ??
    (deciding === undefined ? undefined : firstByName(allowing.filter((each) => covers(each, deciding, call, facts))))
  if (rule === undefined) {
    return { effect: 'allow', rule: `level:${level}`, reason: `The consent level is ${level}.`, asks: [] }
  }
  const who = rule.from === 'grant' ? 'You have allowed it before' : 'A rule allows it'
  return { effect: 'allow', rule: ruleName(rule), reason: `${who}: ${rule.text}.`, asks: [] }
}

/** The same one whatever the order they come in. */
function firstByName(rules: readonly Rule[]): Rule | undefined {
  return rules.length < 2 ? rules[0] : [...rules].sort((a, b) => (ruleName(a) < ruleName(b) ? -1 : 1))[0]
}
