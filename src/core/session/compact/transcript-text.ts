import type { ModelMessage } from '../../model/index.js'
import { estimateTokens } from '../../text/index.js'
import { cutText } from '../../tools/index.js'

const longestResult = 600
const longestWords = 4000

/** A conversation as text, in pieces of at most so many tokens. */
export function transcriptText(messages: readonly ModelMessage[], tokens: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const line of messages.flatMap(linesOf)) {
    const longer = piece === '' ? line : `${piece}\n${line}`
    if (piece !== '' && estimateTokens(longer) > tokens) {
      pieces.push(piece)
      piece = line
    } else piece = longer
  }
  return piece === '' ? pieces : [...pieces, piece]
}

function linesOf({ role, content }: ModelMessage): string[] {
  const who = role === 'user' ? 'Person' : 'Assistant'
  if (typeof content === 'string') return [`${who}: ${shortened(content, longestWords)}`]
  return content.flatMap((part): string[] => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === '' ? [] : [`${who}: ${shortened(part.text, longestWords)}`]
      case 'tool-call':
        return [`Call: ${part.toolName} ${shortened(JSON.stringify(part.input) ?? '', longestResult)}`]
      case 'tool-result': {
        const { output } = part
        const said = output.type === 'text' || output.type === 'error-text' ? output.value : JSON.stringify(output)
        return [`Result of ${part.toolName}: ${shortened(said, longestResult)}`]
      }
      case 'file':
        return [`${who}: (${part.filename ?? 'a file'} was shown here)`]
      default:
        return []
    }
  })
}

const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${cutText(text, length)}… (${text.length - length} characters more)`
