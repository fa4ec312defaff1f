import type { Effect } from '../tools/index.js'
import { isNote } from '../vault/index.js'
import { type CallFacts, effectsOf, type NoteAccess } from './call-facts.js'
import { type ConsentLevel, levelDecision, levelTexts } from './consent-level.js'
import type { Grant } from './grants.js'
import { matchesNote, matchesSends } from './match-rule.js'
import { plainSelector, type Rule, type RuleEffect, ruleName, type Subject } from './rules.js'

export interface PolicyResult {
  effect: 'allow' | 'ask' | 'deny'
  /**
   * The name of the reason: `deny: reads(folder:Journal)`, `grant: edit_note(A.md)`, `level:ask`, `taint`, `words`,
   * `pick`, `loads`, `audience`, `executable`.
   */
  rule: string
  /** One sentence for a user. */
  reason: string
  /** Reasons why approval is needed: for `ask`, and for `deny` at a level that never asks. */
  asks: AskReason[]
  /** The rule that `rule` names, if a deny or ask rule decided. */
  restriction?: Rule | undefined
}

export interface AskReason {
  /** Only `words`, `level` and `pick` can be lifted by a rule that allows. */
  kind: 'taint' | 'words' | 'rule' | 'level' | 'pick' | 'loads' | 'audience' | 'executable' | 'hidden'
  rule: string
  reason: string
  /** With `level`: the effects that nothing covers, and the same as a phrase: "deletes a note". */
  effects?: Effect[]
  action?: string
}

/**
 * The approval policy. Deny takes precedence over ask, ask over allow, in any order. Allowing rules and grants override
 * the level. They do not override asking rules, taint, text that loads or runs something, a change of who can see a
 * note, and the levels `read-only` and `ask-all`. Sending words other than the user's own needs a rule that names the
 * recipient; a grant for the turn does not cover it.
 */
export function evaluatePolicy(
  facts: CallFacts,
  rules: readonly Rule[],
  level: ConsentLevel,
  grants: readonly Grant[],
): PolicyResult {
  const denying = firstByName(rules.filter((rule) => rule.effect === 'deny' && ruleRestricts(rule, facts)))
  if (denying !== undefined) {
    return {
      effect: 'deny',
      rule: ruleName(denying),
      reason: denialReason(denying, facts),
      asks: [],
      restriction: denying,
    }
  }
  const effects = effectsOf(facts)
  const refused = effects.find((effect) => levelDecision(level, effect, facts.isUndoable) === 'deny')
  if (refused !== undefined) {
    const reason = `This ${actionOf(refused, facts)}, and the approval level is ${level}.`
    return { effect: 'deny', rule: `level:${level}`, reason, asks: [] }
  }
  const allowing = [
    ...rules.filter(({ effect }) => effect === 'allow'),
    ...grants
      // "From now on" does not cover a very large change. "All of this turn" covers every change of the turn.
      .filter(({ scope }) => scope.kind === 'turn' || !facts.isLarge)
      .map(({ rule, scope }) => ({
        ...rule,
        effect: 'allow' as const,
        from: 'grant',
        isForTurn: scope.kind === 'turn',
      })),
  ]
  const asking = firstByName(rules.filter((rule) => rule.effect === 'ask' && ruleRestricts(rule, facts)))
  const asks = reasonsToAsk(facts, effects, asking, level, allowing)
  const [strongest] = asks
  if (strongest !== undefined) {
    const { kind, rule, reason } = strongest
    const effect = level === 'locked' ? 'deny' : 'ask'
    return { effect, rule, reason, asks, ...(kind === 'rule' && { restriction: asking }) }
  }
  return allowedResult(facts, effects, level, allowing)
}

/** Names only notes outside the project that the call itself has named: those it would write. */
function denialReason({ selector, text }: Rule, { notes }: CallFacts): string {
  if (selector?.kind !== 'outside') return `A rule denies this: ${text}.`
  const named = notes.filter((note) => !note.isRead && matchesNote(selector, note, 'wide')).map(({ paths }) => paths[0])
  if (named.length > 0) return `${named.join(', ')} ${named.length === 1 ? 'is' : 'are'} ${text}.`
  return `This would read or change notes that are ${text}.`
}

function reasonsToAsk(
  facts: CallFacts,
  effects: readonly Effect[],
  asking: Rule | undefined,
  level: ConsentLevel,
  allowing: readonly (Rule & { isForTurn?: boolean })[],
): AskReason[] {
  const asks: AskReason[] = []
  if (facts.isTainted && effects.includes('reaches-network')) {
    const reason = 'This chat contains your notes and text from other sources, so you see anything that is sent first.'
    asks.push({ kind: 'taint', rule: 'taint', reason })
  } else if (facts.sendsUntypedText && !allowing.some((rule) => !rule.isForTurn && namesDestination(rule, facts))) {
    const reason = 'This chat contains notes, and this sends more than what you typed.'
    asks.push({ kind: 'words', rule: 'words', reason })
  }
  if (asking !== undefined) {
    asks.push({ kind: 'rule', rule: ruleName(asking), reason: `A rule requires approval: ${asking.text}.` })
  }
  const uncovered = effects.filter(
    (effect) =>
      levelDecision(level, effect, facts.isUndoable) === 'ask' &&
      (level === 'ask-all' || !allowing.some((rule) => ruleCovers(rule, effect, facts))),
  )
  if (uncovered.length > 0 || level === 'ask-all') {
    asks.push({
      kind: 'level',
      rule: `level:${level}`,
      ...levelReason(level, facts, uncovered),
      effects: uncovered,
    })
  }
  // Rules about reading at large do not say which notes to share; one that names the tool does.
  const isPicked = allowing.some((rule) => rule.subject.kind === 'tool' && ruleCovers(rule, 'reads', facts))
  if (facts.picks && level !== 'auto' && !isPicked) {
    const reason =
      level === 'ask-all' || asking !== undefined ? 'You choose which of these notes to share.' : pickReason
    asks.push({ kind: 'pick', rule: 'pick', reason })
  }
  if (facts.loads.length > 0) {
    const reason = 'Opening the note would load this address, and the address itself can reveal information.'
    asks.push({ kind: 'loads', rule: 'loads', reason })
  }
  if (facts.audience.length > 0) {
    asks.push({
      kind: 'audience',
      rule: 'audience',
      reason: `${facts.audience.join(' ')} This can change who sees the note.`,
    })
  }
  if (facts.concernsHidden) asks.push({ kind: 'hidden', rule: 'hidden notes', reason: hiddenReason })
  if (facts.isExecutable) {
    asks.push({ kind: 'executable', rule: 'executable', reason: 'This writes text that another program would run.' })
  }
  return asks
}

const pickReason =
  'Notes requested together are shared in full, so you choose which. Reading notes one at a time needs no approval.'

const hiddenReason = 'This affects private or excluded notes, which the model must not learn about.'

function levelReason(
  level: ConsentLevel,
  facts: CallFacts,
  effects: readonly Effect[],
): Omit<AskReason, 'kind' | 'rule'> {
  if (level === 'ask-all') return { reason: 'Every call needs approval.' }
  // Deleting a note also changes notes, which needs no mention.
  const named = effects.includes('destroys') ? effects.filter((effect) => effect !== 'writes') : effects
  const action = named.map((effect) => actionOf(effect, facts)).join(' and ')
  if (level === 'locked') return { reason: `This ${action}, and no rule allows it (approval level: locked).`, action }
  return { reason: `This ${action}, so I'm asking first.`, action }
}

/** "deletes a note", "edits 3 notes": by the change set of the call where there is one. */
function actionOf(effect: Effect, { changes = [] }: CallFacts): string {
  if (effect === 'reads') return 'reads notes'
  if (effect === 'reaches-network') return 'accesses the network'
  const kinds = effect === 'destroys' ? (['trash', 'move', 'edit'] as const) : (['edit', 'append', 'create'] as const)
  const kind = kinds.find((each) => changes.includes(each))
  if (kind === undefined) return effect === 'writes' ? 'changes notes' : 'can overwrite, rename or delete data'
  const number = changes.filter((each) => each === kind).length
  const verb = kind === 'edit' && effect === 'writes' ? 'edits' : verbs[kind]
  return `${verb} ${number === 1 ? 'a note' : `${number} notes`}`
}

const verbs: Record<NonNullable<CallFacts['changes']>[number], string> = {
  trash: 'deletes',
  move: 'renames or moves',
  edit: 'overwrites',
  append: 'adds to',
  create: 'creates',
}

/** Names the rule that made the difference, or the level when it would have passed anyway. */
function allowedResult(
  facts: CallFacts,
  effects: readonly Effect[],
  level: ConsentLevel,
  allowing: readonly Rule[],
): PolicyResult {
  const lifted = effects.find((effect) => levelDecision(level, effect, facts.isUndoable) === 'ask')
  const deciding = lifted ?? (facts.picks && level !== 'auto' ? 'reads' : undefined)
  const naming = facts.sendsUntypedText
    ? firstByName(allowing.filter((each) => namesDestination(each, facts)))
    : undefined
  const rule =
    naming ??
    (deciding === undefined ? undefined : firstByName(allowing.filter((each) => ruleCovers(each, deciding, facts))))
  if (rule === undefined) {
    return { effect: 'allow', rule: `level:${level}`, reason: `The approval level is ${level}.`, asks: [] }
  }
  const who = rule.from === 'grant' ? 'You allowed this before' : 'A rule allows this'
  return { effect: 'allow', rule: ruleName(rule), reason: `${who}: ${rule.text}.`, asks: [] }
}

/** The same rule in any order. */
function firstByName(rules: readonly Rule[]): Rule | undefined {
  return rules.length < 2 ? rules[0] : [...rules].sort((a, b) => (ruleName(a) < ruleName(b) ? -1 : 1))[0]
}

/** True if a deny or ask rule matches at least one note or address of the call. */
function ruleRestricts({ subject, selector }: Rule, facts: CallFacts): boolean {
  if (!isSubject(subject, facts)) return false
  const isMeant = (note: NoteAccess) => subject.kind !== 'effect' || touchesNote(note, subject.effect)
  if (selector === undefined) {
    return subject.kind !== 'effect' || hasEffect(subject.effect, facts) || facts.notes.some(isMeant)
  }
  if (plainSelector(selector).kind === 'domain') return matchesSends(selector, facts.sends, 'wide')
  return facts.notes.some((note) => isMeant(note) && matchesNote(selector, note, 'wide'))
}

/** True if an allow rule covers one effect of the call: it must match every note or address exactly. */
function ruleCovers({ subject, selector }: Rule, effect: Effect, facts: CallFacts): boolean {
  if (!isSubject(subject, facts) || (subject.kind === 'effect' && subject.effect !== effect)) return false
  if (selector === undefined) return true
  if (plainSelector(selector).kind === 'domain') {
    return effect === 'reaches-network' && matchesSends(selector, facts.sends, 'exact')
  }
  if (effect === 'reaches-network') return false
  const meant = subject.kind === 'effect' ? facts.notes.filter(({ access }) => access === effect) : facts.notes
  return meant.length > 0 && meant.every((note) => isGrantable(note) && matchesNote(selector, note, 'exact'))
}

/** True if an allow rule names both the tool and the destination, as sending words from notes requires. */
function namesDestination({ subject, selector }: Rule, facts: CallFacts): boolean {
  if (!isSubject(subject, facts)) return false
  if (subject.kind === 'mcp') return subject.server !== undefined && subject.tool !== undefined
  if (subject.kind !== 'tool') return false
  if (selector !== undefined) return selector.kind === 'domain' && matchesSends(selector, facts.sends, 'exact')
  // A search goes where the settings say, a server's tool to that server.
  return facts.foreign !== undefined || facts.sends.every(({ chosen }) => chosen !== undefined)
}

function isSubject(subject: Subject, { tool, foreign }: CallFacts): boolean {
  switch (subject.kind) {
    case 'any':
    case 'effect':
      return true
    case 'tool':
      return tool === subject.name
    case 'mcp':
      if (foreign === undefined || foreign.server !== (subject.server ?? foreign.server)) return false
      return foreign.tool === (subject.tool ?? foreign.tool)
    default:
      return subject satisfies never
  }
}

/** Destroying is a kind of writing, so rules that restrict writing restrict it too. */
function hasEffect(wanted: Effect, facts: CallFacts): boolean {
  const effects = effectsOf(facts)
  return effects.includes(wanted) || (wanted === 'writes' && effects.includes('destroys'))
}

function touchesNote({ access, isRead }: NoteAccess, effect: Effect): boolean {
  if (effect === 'reads') return isRead
  return access === effect || (effect === 'writes' && access === 'destroys')
}

// Only notes are written without asking: a canvas or an attachment that a pattern happens to cover is not.
const isGrantable = ({ access, paths }: NoteAccess): boolean => access === 'reads' || paths.every(isNote)

export interface Explanation extends Omit<PolicyResult, 'restriction'> {
  level: { name: ConsentLevel; about: string; says: Partial<Record<Effect, 'pass' | 'ask' | 'deny'>> }
  /** All rules and grants, in the given order. */
  considered: ConsideredRule[]
}

interface ConsideredRule {
  name: string
  effect: RuleEffect
  from: string
  applies: boolean
  /** True for the rule that the result names. */
  decided: boolean
  why: string
}

/** The result with every rule that was considered, for `notewright approvals explain`. */
export function explainPolicy(
  facts: CallFacts,
  rules: readonly Rule[],
  level: ConsentLevel,
  grants: readonly Grant[],
): Explanation {
  const { restriction: _, ...result } = evaluatePolicy(facts, rules, level, grants)
  const effects = effectsOf(facts)
  const all = [...rules, ...grants.map(({ rule }) => ({ ...rule, effect: 'allow' as const, from: 'grant' }))]
  return {
    ...result,
    level: {
      name: level,
      about: levelTexts[level],
      says: Object.fromEntries(effects.map((effect) => [effect, levelDecision(level, effect, facts.isUndoable)])),
    },
    considered: all.map((rule) => consider(rule, facts, effects, result)),
  }
}

function consider(
  rule: Rule,
  facts: CallFacts,
  effects: readonly Effect[],
  result: Omit<PolicyResult, 'restriction'>,
): ConsideredRule {
  const covered = rule.effect === 'allow' ? effects.filter((effect) => ruleCovers(rule, effect, facts)) : []
  const applies = rule.effect === 'allow' ? covered.length > 0 : ruleRestricts(rule, facts)
  const decided = applies && result.rule === ruleName(rule)
  const { effect, from } = rule
  return {
    name: ruleName(rule),
    effect,
    from,
    applies,
    decided,
    why: ruleReason(rule, applies, decided, covered, result),
  }
}

function ruleReason(
  rule: Rule,
  applies: boolean,
  decided: boolean,
  covered: readonly Effect[],
  result: Omit<PolicyResult, 'restriction'>,
): string {
  if (!applies)
    return rule.selector === undefined
      ? 'does not apply to this call'
      : 'does not match everything that this call affects'
  if (decided) return 'decided'
  if (rule.effect !== 'allow') {
    return result.effect === 'deny' ? 'applies, but a rule or level that denies takes precedence' : 'also applies'
  }
  if (result.effect === 'allow') return `covers ${covered.join(', ')}; the call is allowed without it`
  const stronger =
    result.effect === 'deny' && result.asks.length === 0
      ? 'a denial takes precedence'
      : 'approval is still needed for another reason'
  return `covers ${covered.join(', ')}; ${stronger}`
}
