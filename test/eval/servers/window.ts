import type { Message, Prompt } from '../model/prompt.js'

/** About what tokenizers make of English and JSON. */
const tokensIn = (text: string): number => Math.ceil(text.length / 4)

const tokensOf = ({ text, calls = [] }: Message): number =>
  4 + tokensIn(text) + (calls.length > 0 ? tokensIn(JSON.stringify(calls)) : 0)

/** Chat templates write the tools into the prompt. */
const toolTokens = ({ tools }: Prompt): number => (tools.length > 0 ? tokensIn(JSON.stringify(tools)) : 0)

export const promptTokens = (prompt: Prompt): number =>
  toolTokens(prompt) + prompt.messages.reduce((sum, message) => sum + tokensOf(message), 0)

/**
 * As Ollama does it, without a word: chatPrompt (server/prompt.go) keeps system messages and the last one and drops the
 * oldest of the others; when that is still too much, the runner drops the beginning of the text itself.
 */
export function dropBeginning(prompt: Prompt, window: number): Prompt {
  const messages = [...prompt.messages]
  while (promptTokens({ ...prompt, messages }) > window) {
    const oldest = messages.findIndex(({ role }, at) => role !== 'system' && at < messages.length - 1)
    if (oldest < 0) return cutText({ ...prompt, messages }, window)
    messages.splice(oldest, 1)
  }
  return { ...prompt, messages }
}

/** The tools stand first, then the system prompt, then the rest. */
function cutText(prompt: Prompt, window: number): Prompt {
  let over = promptTokens(prompt) - window
  const isWithoutTools = over > 0 && prompt.tools.length > 0
  if (isWithoutTools) over -= toolTokens(prompt)
  const messages = prompt.messages.map((message) => {
    if (over <= 0) return message
    const cut = Math.min(message.text.length, over * 4)
    over -= Math.ceil(cut / 4)
    return { ...message, text: message.text.slice(cut) }
  })
  return { messages, tools: isWithoutTools ? [] : prompt.tools }
}

/** As OpenRouter does it for models of 8k or less (openrouter.ai/docs/transforms), and LM Studio in a long chat. */
export function dropMiddle(prompt: Prompt, window: number): Prompt {
  const messages = [...prompt.messages]
  while (messages.length > 2 && promptTokens({ ...prompt, messages }) > window) {
    messages.splice(Math.floor(messages.length / 2), 1)
  }
  const fitting = { ...prompt, messages }
  return promptTokens(fitting) > window ? cutText(fitting, window) : fitting
}
