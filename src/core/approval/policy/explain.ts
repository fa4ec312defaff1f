import type { Effect } from '../../tools/index.js'
import { type Rule, type RuleEffect, ruleName } from '../rules/index.js'
import { effectsOf, type Facts, type JudgedCall } from './call-facts.js'
import { type ConsentLevel, levelSays, levelTexts } from './consent-level.js'
import { decide, type Verdict } from './decide.js'
import type { Grant } from './grant.js'
import { covers, restricts } from './weigh-rule.js'

export interface Explanation extends Verdict {
  level: { name: ConsentLevel; about: string; says: Partial<Record<Effect, 'pass' | 'ask' | 'deny'>> }
  /** Every rule and grant there is, in the order given. */
  considered: ConsideredRule[]
}

export interface ConsideredRule {
  name: string
  effect: RuleEffect
  from: string
  applies: boolean
  /** True for the one that the verdict names. */
  decided: boolean
  why: string
}

/** The verdict with everything that went into it: what `notewright permissions explain` prints. */
export function explain(
  call: JudgedCall,
  facts: Facts,
  rules: readonly Rule[],
  level: ConsentLevel,
  grants: readonly Grant[],
): Explanation {
  const verdict = decide(call, facts, rules, level, grants)
  const effects = effectsOf(call, facts)
  const all = [...rules, ...grants.map(({ rule }) => ({ ...rule, effect: 'allow' as const, from: 'grant' }))]
  return {
    ...verdict,
    level: {
      name: level,
      about: levelTexts[level],
      says: Object.fromEntries(effects.map((effect) => [effect, levelSays(level, effect, call.isUndoable)])),
    },
    considered: all.map((rule) => consider(rule, call, facts, effects, verdict)),
  }
}

function consider(
  rule: Rule,
  call: JudgedCall,
  facts: Facts,
  effects: readonly Effect[],
  verdict: Verdict,
): ConsideredRule {
  const covered = rule.effect === 'allow' ? effects.filter((effect) => covers(rule, effect, call, facts)) : []
  const applies = rule.effect === 'allow' ? covered.length > 0 : restricts(rule, call, facts)
  const decided = applies && verdict.rule === ruleName(rule)
  const { effect, from } = rule
  return { name: ruleName(rule), effect, from, applies, decided, why: why(rule, applies, decided, covered, verdict) }
}

function why(rule: Rule, applies: boolean, decided: boolean, covered: readonly Effect[], verdict: Verdict): string {
  if (!applies)
    return rule.selector === undefined ? 'is about other calls' : 'means none, or not all, of what this call touches'
  if (decided) return 'decided'
  if (rule.effect !== 'allow') {
    return verdict.effect === 'deny' ? 'applies; a rule or level that denies goes before it' : 'applies too'
  }
  if (verdict.effect === 'allow') return `covers ${covered.join(', ')}; the call passes without it`
  const stronger =
    verdict.effect === 'deny' && verdict.asks.length === 0 ? 'a deny goes before it' : 'something still asks'
  return `covers ${covered.join(', ')}; ${stronger}`
}
