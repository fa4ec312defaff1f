import type { ToolCall } from '../tools/index.js'

/** Where `@memory` keeps what it is told, unless the settings name another note. */
const memoryNote = 'Notewright memory.md'

export interface AtCommands {
  /** The request without its commands. */
  text: string
  calls: ToolCall[]
}

/**
 * Tools a person asks for by name in the request: `@vault`, `@web` (or `@websearch`), `@memory`, and
 * `@note Name` or `@[[Name]]`. An address like ada@web.example is not a command.
 */
export function atCommands(request: string): AtCommands {
  const named: string[] = []
  const wanted = new Set<string>()
  // Two and more signs in a row are stepped over whole: none of them begins a command.
  const text = request
    .replace(/@{2,}|\B@(?:note\s+)?\[\[([^\]\n|]+)(?:\|[^\]\n]*)?\]\]/gi, (all, note?: string) =>
      note === undefined ? all : kept(named, note),
    )
    .replace(/@{2,}|\B@note\s+(?:"([^"\n]+)"|(\S+))/gi, (all, quoted?: string, bare?: string) => {
      const note = quoted ?? bare
      return note === undefined ? all : kept(named, note)
    })
    .replace(/@{2,}|\B@(vault|websearch|web|memory)\b(?!\.\w)/gi, (all, command?: string) => {
      if (command === undefined) return all
      wanted.add(command.toLowerCase().replace('websearch', 'web'))
      return ''
    })
    .replace(/[ \t]{2,}/g, ' ')
    .trim()
  const calls: [name: string, input: Record<string, unknown>][] = [
    ...named.map((path): [string, Record<string, unknown>] => ['read_note', { path }]),
  ]
  if (wanted.has('vault')) calls.push(['search_notes', { query: text }])
  if (wanted.has('web')) calls.push(['web_search', { query: text }])
  if (wanted.has('memory')) calls.push(['append_note', { path: memoryNote, content: `- ${text}\n` }])
  return { text, calls: calls.map(([name, input]) => ({ id: `at-${crypto.randomUUID()}`, name, input })) }
}

function kept(named: string[], note: string): string {
  named.push(note.trim())
  return `[[${note.trim()}]]`
}
