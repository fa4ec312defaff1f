import type { ModelMessage, ToolModelMessage } from '../../model/index.js'
import { charactersFor, estimateTokens } from '../../text/index.js'
import { cutText } from '../../tools/index.js'
import { replaceFiles } from '../files/file-part.js'

type ToolPart = Exclude<ToolModelMessage['content'], string>[number]
type ResultPart = Extract<ToolPart, { type: 'tool-result' }>

/** A message as it is kept when room is short: results as one line, pictures by name, answers without the thoughts behind them. */
export function foldMessage(message: ModelMessage): ModelMessage {
  if (message.role === 'tool') return withResults(message, foldedText)
  if (message.role === 'user') return withoutFiles(message)
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  const content = message.content.filter(({ type }) => type !== 'reasoning')
  if (content.length === 0 || content.length === message.content.length) return message
  // What a provider attached to the words belongs to the thoughts: it refuses the one without the other.
  return { ...message, content: content.map((part) => ({ ...part, providerOptions: undefined })) }
}

function withoutFiles(message: ModelMessage): ModelMessage {
  if (typeof message.content === 'string') return message
  const [folded] = replaceFiles([message], ({ name }) => [{ type: 'text', text: `(Left out to save room: ${name})` }])
  return folded
}

/** The results of a step cut so that all of them together take no more than this. */
export function cutResults(message: ModelMessage, tokens: number): ModelMessage {
  if (message.role !== 'tool') return message
  const share = Math.floor(tokens / Math.max(1, message.content.length))
  return withResults(message, (text) => cutToFit(text, share))
}

/** A text that is too long for the model loses its end, and says so. */
export function cutToFit(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text
  const kept = cutText(text, charactersFor(text, Math.max(0, tokens - noteTokens)))
  const left = (text.length - kept.length).toLocaleString('en')
  return `${kept}\n[Cut here to fit: ${left} characters are left out. Ask for less, or for a part of it.]`
}

/** What the sentence at a cut takes. */
const noteTokens = 30

function withResults(message: ToolModelMessage, change: (text: string, name: string) => string): ToolModelMessage {
  const content = message.content.map((part): ToolPart => {
    if (part.type !== 'tool-result') return part
    const { type } = part.output
    if (type !== 'text' && type !== 'error-text') return part
    const text = change(part.output.value, part.toolName)
    return { ...part, output: { type, value: text } } satisfies ResultPart
  })
  return { ...message, content }
}

const mostPaths = 8
const shortEnough = 160

/** What an old result was about: the notes in it, or how it began. */
function foldedText(text: string, name: string): string {
  if (text.length <= shortEnough) return text
  const [firstLine] = text.split('\n', 1)
  // The line above a note's text tells its path and lines; a list of hits names its notes.
  const paths = [...new Set([...text.matchAll(/"path":"((?:[^"\\]|\\.)*)"/g)].map(([, path]) => path))]
  const more = paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : ''
  const about =
    paths.length > 0 ? `${paths.slice(0, mostPaths).join(', ')}${more}` : cutText(firstLine, shortEnough).trim()
  return `(Left out to save room. ${name} returned: ${about})`
}
