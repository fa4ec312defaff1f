import type { ModelMessage } from '../../model/index.js'
import { estimateTokens } from '../../text/index.js'
import { cutText } from '../../tools/index.js'

const longestRequest = 160

/** What is left of turns without a model: what was asked, the newest as far as there is room. */
export function requestsIn(turns: readonly (readonly ModelMessage[])[], tokens: number): string {
  const asked = turns.flatMap(([first]) => (first?.role === 'user' ? [wordsOf(first)] : []))
  const lines = asked.map((text) => `- ${cutText(text.replace(/\s+/g, ' ').trim(), longestRequest)}`)
  return ['Asked before:', ...newest(lines, tokens)].join('\n')
}

function wordsOf({ content }: ModelMessage): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
}

/** The notes that were cited, read or changed: they can be read again by these names. */
export function notesNamed(messages: readonly ModelMessage[], tokens: number): string {
  const names = new Set<string>()
  const add = (name: string) => {
    names.delete(name)
    names.add(name)
  }
  for (const { role, content } of messages) {
    if (typeof content === 'string') {
      // An earlier summary has such a list too.
      for (const [, name] of content.matchAll(/^Notes: (.*)$/gm)) name.split(' | ').forEach(add)
      continue
    }
    for (const part of content) {
      if (role === 'assistant' && part.type === 'text') {
        for (const [, name] of part.text.matchAll(/\[\[([^\]|#\n]{1,300})/g)) add(name)
      } else if (part.type === 'tool-call') {
        const { path } = (part.input ?? {}) as { path?: unknown }
        if (typeof path === 'string' && path.length < 300) add(path)
      }
    }
  }
  const kept = newest([...names], tokens)
  return kept.length === 0 ? '' : `Notes: ${kept.join(' | ')}`
}

/** The last ones, in their order. */
function newest(lines: readonly string[], tokens: number): string[] {
  let left = tokens
  const kept: string[] = []
  for (const line of [...lines].reverse()) {
    left -= estimateTokens(line) + 2
    if (left < 0) break
    kept.unshift(line)
  }
  return kept
}
