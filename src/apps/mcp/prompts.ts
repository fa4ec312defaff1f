import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { visibleText } from '../../core/text/index.js'

/** A common request, written out with the tools it needs. */
interface VaultPrompt extends Prompt {
  text(given: Record<string, string>): string
}

const vaultPrompts: VaultPrompt[] = [
  {
    name: 'summarise_note',
    title: 'Summarise a note',
    description: 'Summarises a note in a few sentences, with the notes linked to it.',
    arguments: [{ name: 'path', description: 'The note', required: true }],
    text: ({ path = '' }) =>
      `Read the note ${quoted(path)} with read_note, all of its parts, and list_backlinks for it. Summarise it in at most five sentences. Then name the notes it is connected with and how. Cite headings or lines for what you say, and do not add what the note does not say.`,
  },
  {
    name: 'weekly_review',
    title: 'Weekly review',
    description: 'Lists notes written or changed in the last seven days, and open tasks.',
    arguments: [{ name: 'tag', description: 'Only notes with this tag' }],
    text: ({ tag }) =>
      `Review the last seven days of my notes${tag ? ` tagged ${quoted(tag)}` : ''}. Find them with search_notes: an empty query, and filter.date_after seven days ago${tag ? `, filter.tags [${quoted(tag)}]` : ''}; read those that matter. Tell me, with the paths: what I worked on, what was decided, tasks that are still open (lines that begin with "- [ ]"), and questions without an answer. Change nothing.`,
  },
  {
    name: 'find_contradictions',
    title: 'Find contradictions',
    description: 'Finds notes that contradict each other.',
    arguments: [{ name: 'topic', description: 'Topic', required: true }],
    text: ({ topic = '' }) =>
      `Find places where my notes contradict each other about ${quoted(topic)}. Search in several wordings with search_notes, read the passages in their context, and compare dates, figures, names and decisions. For each contradiction quote both passages word for word with path and lines, and say which note is newer. Say so if you find none. Change nothing.`,
  },
]

export const listPrompts = (): Prompt[] => vaultPrompts.map(({ text: _, ...prompt }) => prompt)

export function getPrompt(name: string, given: Record<string, string> = {}): GetPromptResult {
  const prompt = vaultPrompts.find((one) => one.name === name)
  if (prompt === undefined) throw invalidParams(`Prompt not found: ${quoted(name)}`)
  const missing = prompt.arguments?.find((one) => one.required && !given[one.name]?.trim())
  if (missing !== undefined) throw invalidParams(`The prompt ${name} needs ${missing.name}.`)
  const text = prompt.text(given)
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

const quoted = (text: string): string => JSON.stringify(visibleText(text.slice(0, 500)).text)

const invalidParams = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message)
