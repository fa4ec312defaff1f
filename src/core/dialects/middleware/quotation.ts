import type { LanguageModelV3Prompt } from '../../model/index.js'

/**
 * Tells whether a text stands in a prompt, in a person's message or in a result. What a model repeats from a note is no
 * call of its own, whatever it looks like. White space and the backslashes of neutralising make no difference.
 */
export function quotationIn(prompt: LanguageModelV3Prompt): (text: string) => boolean {
  let given: string | undefined
  return (text) => {
    given ??= plain(prompt.map(outsideText).join('\n'))
    return given.includes(plain(text))
  }
}

const plain = (text: string): string => text.replace(/[\s\\]+/g, '')

function outsideText(message: LanguageModelV3Prompt[number]): string {
  if (message.role === 'user') return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  if (message.role !== 'tool') return ''
  return message.content.map((part) => (part.type === 'tool-result' ? valueText(part.output) : '')).join('\n')
}

function valueText(output: object): string {
  const value = 'value' in output ? output.value : ''
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
