import { looksSent } from '../files/index.js'

export interface AtCommands {
  /** The request without its commands; notes that were named stand in it as `[[Name]]`. */
  text: string
  /** In the order they were named, with doubles. */
  notes: string[]
  /** Pictures and PDFs, likewise. */
  files: string[]
  /** `vault`, `web`, `memory`. */
  commands: Set<string>
}

/**
 * What a person asks for by name in a request: `@vault`, `@web` (or `@websearch`), `@memory`, `@note Name` or
 * `@[[Name]]`, and `@picture.png` or `@"Some plan.pdf"`. An address like ada@web.example is not a command.
 */
export function readAtCommands(request: string): AtCommands {
  const notes: string[] = []
  const files: string[] = []
  const commands = new Set<string>()
  const keep = (note: string): string => {
    const named = looksSent(note.trim()) ? files : notes
    named.push(note.trim())
    return `[[${note.trim()}]]`
  }
  // Two and more signs in a row are stepped over whole: none of them begins a command. A name is bounded, or a flood of
  // openings would be read to its end from each of them.
  const text = request
    .replace(/@{2,}|\B@(?:note\s+)?\[\[([^\]\n|]{1,400})(?:\|[^\]\n]{0,400})?\]\]/gi, (all, note?: string) =>
      note === undefined ? all : keep(note),
    )
    .replace(/@{2,}|\B@note\s+(?:["“]([^"”\n]{1,400})["”]|(\S+))/gi, (all, quoted?: string, word?: string) => {
      const note = quoted ?? word
      return note === undefined ? all : keep(note)
    })
    .replace(
      /@{2,}|\B@(?:["“]([^"”\n]{1,400}\.(?:png|jpe?g|webp|gif|pdf))["”]|([^\s@"“]{1,400}\.(?:png|jpe?g|webp|gif|pdf))(?!\w))/gi,
      (all, quoted?: string, word?: string) => {
        const file = quoted ?? word
        return file === undefined ? all : keep(file)
      },
    )
    .replace(/@{2,}|\B@(vault|websearch|web|memory)\b(?!\.\w)/gi, (all, command?: string) => {
      if (command === undefined) return all
      commands.add(command.toLowerCase().replace('websearch', 'web'))
      return ''
    })
  return { text, notes, files, commands }
}
