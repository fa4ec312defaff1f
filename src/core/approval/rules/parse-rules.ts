import { Failure } from '../../errors.js'
import { parseRule, type RuleVocabulary } from './parse-rule.js'
import { type Rule, type RuleEffect, ruleEffects } from './rule.js'

/** Rules as people write them, all from one place. */
export interface RuleTexts extends Partial<Record<RuleEffect, readonly string[]>> {
  /** `command line`, `config`, `vault`: what `explain` says they come from. */
  from: string
  /** Named before what is wrong with one of them. */
  file?: string
}

/** All rules of a session: of its command line, its settings and its vault. Their order does not matter. */
export function parseRules(places: readonly RuleTexts[], vocabulary: RuleVocabulary): Rule[] {
  return places.flatMap((place) =>
    ruleEffects.flatMap((effect) => (place[effect] ?? []).map((text) => parseFrom(place, text, effect, vocabulary))),
  )
}

function parseFrom({ from, file }: RuleTexts, text: string, effect: RuleEffect, vocabulary: RuleVocabulary): Rule {
  try {
    return parseRule(text, vocabulary, { effect, from })
  } catch (error) {
    if (file === undefined || !(error instanceof Failure)) throw error
    const hint = error.details.hint ?? 'Mend the file, or move it away.'
    throw new Failure(error.code, `${file}: ${error.message}`, { hint })
  }
}
