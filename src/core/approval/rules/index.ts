export { matchesNote, matchesSends, type NoteMeaning } from './match-selector.js'
export { type GivenRule, parseRule, type RuleVocabulary, ruleVocabulary } from './parse-rule.js'
export { parseRules, type RuleTexts } from './parse-rules.js'
export { needsPathWord } from './parse-selector.js'
export { literalPattern, type Strictness } from './path-pattern.js'
export {
  plainSelector,
  type Rule,
  type RuleEffect,
  ruleEffects,
  ruleName,
  type Selector,
  type Subject,
} from './rule.js'
