export { matchesNote, matchesSends, type NoteMeaning } from './match-selector.js'
export { parseRule, type RuleVocabulary, ruleVocabulary } from './parse-rule.js'
export { parseRules, type RuleTexts } from './parse-rules.js'
export { needsPathWord, parseSelector } from './parse-selector.js'
export { literalPattern } from './path-pattern.js'
export {
  looksAt,
  plainSelector,
  type Rule,
  type RuleEffect,
  ruleName,
  type Selector,
  type Subject,
} from './rule.js'
export { type SessionScope, scopeRules } from './scope-rules.js'
export { vaultRulesFile, vaultRuleTexts, wrongVaultRules } from './vault-rule-texts.js'
