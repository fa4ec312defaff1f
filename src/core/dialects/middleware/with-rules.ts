import {
  enhanceUserMessage,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3Prompt,
  type Profile,
  toolRulesText,
} from '../../model/index.js'
import { functionTools } from './write-request.js'

/** A native model with what its family needs to hear when tools are offered: rules behind the system prompt, a reminder behind the person's words. */
export function withRules(model: LanguageModelV3, profile: Profile): LanguageModelV3 {
  if (profile.toolRules.length === 0 && profile.toolReminder === undefined) return model
  const told = (given: LanguageModelV3CallOptions): LanguageModelV3CallOptions =>
    functionTools(given).length === 0 ? given : { ...given, prompt: toldPrompt(given.prompt, profile) }
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (given) => model.doGenerate(told(given)),
    doStream: (given) => model.doStream(told(given)),
  }
}

function toldPrompt(prompt: LanguageModelV3Prompt, profile: Profile): LanguageModelV3Prompt {
  const rules = toolRulesText(profile)
  return prompt.map((message, at) => {
    if (message.role === 'system' && at === 0 && rules !== '') {
      return { ...message, content: `${message.content}\n\n${rules}` }
    }
    if (message.role !== 'user') return message
    const part = message.content.at(-1)
    if (part?.type !== 'text') return message
    const text = enhanceUserMessage(profile, part.text, true)
    return { ...message, content: [...message.content.slice(0, -1), { ...part, text }] }
  })
}
