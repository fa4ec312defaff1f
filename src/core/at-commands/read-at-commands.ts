export interface AtCommands {
  /** The request without its commands; notes that were named stand in it as `[[Name]]`. */
  text: string
  /** In the order they were named, with doubles. */
  notes: string[]
  /** `vault`, `web`, `memory`. */
  commands: Set<string>
}

/**
 * What a person asks for by name in a request: `@vault`, `@web` (or `@websearch`), `@memory`, and `@note Name` or
 * `@[[Name]]`. An address like ada@web.example is not a command.
 */
export function readAtCommands(request: string): AtCommands {
  const notes: string[] = []
  const commands = new Set<string>()
  const keep = (note: string): string => {
    notes.push(note.trim())
    return `[[${note.trim()}]]`
  }
  const text = request
    .replace(/(?<![\w@])@(?:note\s+)?\[\[([^\]\n|]+)(?:\|[^\]\n]*)?\]\]/gi, (_all, note: string) => keep(note))
    .replace(/(?<![\w@])@note\s+(?:["“]([^"”\n]+)["”]|(\S+))/gi, (_all, quoted?: string, word?: string) =>
      keep(quoted ?? word ?? ''),
    )
    .replace(/(?<![\w@])@(vault|websearch|web|memory)\b(?!\.\w)/gi, (_all, command: string) => {
      commands.add(command.toLowerCase().replace('websearch', 'web'))
      return ''
    })
  return { text, notes, commands }
}
