import { fill, type Language, type Sentences } from './languages/language.js'
import { languages } from './languages/languages.js'

/** How a user does things that no request can do, in the current front end: commands, or places in an app. */
export interface OfflineGuidance {
  /** Models on this computer, and how to use the first of them. */
  found?: { models: readonly string[]; use: string }
  /** Where to choose a model. */
  model: string
  /** How to undo the last change. */
  undo: string
  /** How to see the changes that were made. */
  history: string
  /** How to choose the mode that calls several tools for one request. */
  agentMode: string
  /** Where to switch a tool on. */
  enable(tool: string): string
}

/** The guidance for one answer, in the language of its request. */
export interface AnswerGuidance extends OfflineGuidance {
  language: Language
  /**
   * The last line, which mentions that no language model is configured. Empty once the conversation has mentioned it.
   */
  closing: string
  /** A sentence in the language of the request. */
  say: (sentence: keyof Sentences, values?: Readonly<Record<string, string | number>>) => string
}

/** The guidance on the command line; `found` are models on this computer. */
export function commandLineGuidance(found: readonly string[]): OfflineGuidance {
  const [first] = found
  return {
    ...(first !== undefined && { found: { models: found, use: `\`-m ${first}\`` } }),
    model: '`notewright models`',
    undo: '`notewright undo`',
    history: '`notewright history`',
    agentMode: '`--mode agent`',
    enable: (tool) => `\`notewright tool enable ${tool}\``,
  }
}

/** The guidance with its sentences in a language. */
export function guidanceIn(language: Language, guidance: OfflineGuidance, hasSaidNoModel: boolean): AnswerGuidance {
  const setUp = modelSentence(language, guidance)
  const common = { noModel: language.say.noModel, setUp, undo: guidance.undo, history: guidance.history }
  const say: AnswerGuidance['say'] = (sentence, values = {}) => fill(language.say[sentence], { ...common, ...values })
  const closing = hasSaidNoModel ? '' : `*${say('quotesInstead')}*`
  return { ...guidance, language, closing, say }
}

const maxModelsNamed = 3

function modelSentence({ say }: Language, { found, model }: OfflineGuidance): string {
  if (found === undefined) return fill(say.setUpModel, { place: model })
  const named = found.models.slice(0, maxModelsNamed).map((name) => `\`${name}\``)
  const left = found.models.length - maxModelsNamed
  const more = left > 0 ? ` ${fill(say.andMore, { n: left })} (${model})` : ''
  return fill(say.foundModels, { models: `${named.join(', ')}${more}`, use: found.use })
}

/** True for an answer that mentions the missing model, in any language. */
export const mentionsNoModel = (text: string): boolean => languages.some(({ say }) => text.includes(say.noModel))

/** Lists requests that work without a language model, with names of the vault. */
export function exampleRequests({ language }: AnswerGuidance, names: ExampleNames = {}): string {
  const values = { note: 'Note', tag: 'tag', folder: 'Folder', ...names }
  return language.examples.map((example) => `- \`${fill(example, values)}\``).join('\n')
}

/** Names for examples; what the vault does not have is left out. */
export interface ExampleNames {
  note?: string
  tag?: string
  folder?: string
}

export const offlineHelp = (guidance: AnswerGuidance, names?: ExampleNames): string =>
  [guidance.say('help'), exampleRequests(guidance, names), guidance.say('helpEnd')].join('\n\n')
