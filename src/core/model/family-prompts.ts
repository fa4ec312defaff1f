import type { Profile } from './profile.js'

/**
 * The system prompt for a model: the base, the tools, then what this family needs to hear. Only additions at the end,
 * and always the same for the same input, so that a provider's cache of the prefix stays valid.
 */
export function enhanceSystemPrompt(profile: Profile, basePrompt: string, toolDescriptions = ''): string {
  const rules = toolDescriptions === '' ? [] : profile.toolRules
  const ruleText = rules.map((rule) => `- ${rule}`).join('\n')
  return [basePrompt, toolDescriptions, ruleText].filter((part) => part.trim() !== '').join('\n\n')
}

/** The family's rules alone, for prompts whose tools travel by the provider's own protocol. */
export function toolRulesText(profile: Profile): string {
  return profile.toolRules.map((rule) => `- ${rule}`).join('\n')
}

/** A reminder behind the person's words, old and new, so that requests begin alike; for families that talk about tools instead of calling them. */
export function enhanceUserMessage(profile: Profile, message: string, requiresTools: boolean): string {
  return requiresTools && profile.toolReminder ? `${message}\n\n${profile.toolReminder}` : message
}
