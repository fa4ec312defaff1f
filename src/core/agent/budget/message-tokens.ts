import type { ModelMessage } from '../../model/index.js'
import { estimateTokens } from '../../text/index.js'
import { referenceIn } from '../files/file-part.js'

/** What a message takes besides its words: who speaks, where it ends, ids of calls. */
const aroundMessage = 6
const aroundPart = 14
/** An image of usual size. */
const ofFile = 1000

export function messageTokens({ content }: ModelMessage): number {
  if (typeof content === 'string') return aroundMessage + estimateTokens(content)
  let tokens = aroundMessage
  for (const part of content) tokens += partTokens(part as unknown as Record<string, unknown>)
  return tokens
}

function partTokens(part: Record<string, unknown>): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return estimateTokens(String(part.text))
    case 'tool-call':
      return aroundPart + estimateTokens(String(part.toolName)) + estimateTokens(JSON.stringify(part.input) ?? '')
    case 'tool-result': {
      const { value } = part.output as { value?: unknown }
      return aroundPart + estimateTokens(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    }
    default:
      return aroundPart + (referenceIn(part)?.tokens ?? ofFile)
  }
}
