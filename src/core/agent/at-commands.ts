import { readAtCommands } from '../at-commands/index.js'
import type { ToolCall } from '../tools/index.js'

export interface CommandedCalls {
  /** The request without its commands. */
  text: string
  calls: ToolCall[]
}

/** The calls that the `@` commands of a request come to. */
export function atCommands(request: string): CommandedCalls {
  const { text: bare, notes, files, commands } = readAtCommands(request)
  const text = bare.replace(/[ \t]{2,}/g, ' ').trim()
  const calls: [name: string, input: Record<string, unknown>][] = [
    ...notes.map((path): [string, Record<string, unknown>] => ['read_note', { path }]),
    ...files.map((path): [string, Record<string, unknown>] => ['view_file', { path }]),
  ]
  if (commands.has('vault')) calls.push(['search_notes', { query: text }])
  if (commands.has('web')) calls.push(['web_search', { query: text }])
  if (commands.has('memory')) calls.push(['remember', { text }])
  return { text, calls: calls.map(([name, input]) => commandedCall(name, input)) }
}

/** A call that the person asks for and no model. */
export const commandedCall = (name: string, input: Record<string, unknown>): ToolCall => ({
  id: `at-${crypto.randomUUID()}`,
  name,
  input,
})
