import { hasPictureOrPdfName, pictureOrPdfEndings } from './files.js'

interface AtCommands {
  /** The request without its commands; named notes appear as `[[Name]]`. */
  text: string
  /** Notes in the order they were named, with duplicates. */
  notes: string[]
  /** Pictures and PDFs, in the same way. */
  files: string[]
  /** `vault`, `web`, `memory`. */
  commands: Set<string>
}

/**
 * Reads the `@` commands of a request: `@vault`, `@web` (or `@websearch`), `@memory`, `@note Name` or
 * `@[[Name]]`, and `@picture.png` or `@"Some plan.pdf"`. An address like ada@web.example is not a command.
 */
export function readAtCommands(request: string): AtCommands {
  const notes: string[] = []
  const files: string[] = []
  const commands = new Set<string>()
  const keep = (note: string): string => {
    const named = hasPictureOrPdfName(note.trim()) ? files : notes
    named.push(note.trim())
    return `[[${note.trim()}]]`
  }
  // Two or more `@` in a row are skipped as a whole: none of them begins a command. Names have a length limit, so that a
  // text full of openings takes linear time.
  const text = request
    .replace(/@{2,}|\B@(?:note\s+)?\[\[([^\]\n|]{1,400})(?:\|[^\]\n]{0,400})?\]\]/gi, (all, note?: string) =>
      note === undefined ? all : keep(note),
    )
    .replace(/@{2,}|\B@note\s+(?:["“]([^"”\n]{1,400})["”]|(\S+))/gi, (all, quoted?: string, word?: string) => {
      const note = quoted ?? word
      return note === undefined ? all : keep(note)
    })
    .replace(namedFile, (all, quoted?: string, word?: string) => {
      const file = quoted ?? word
      return file === undefined ? all : keep(file)
    })
    .replace(/@{2,}|\B@(vault|websearch|web|memory)\b(?!\.\w)/gi, (all, command?: string) => {
      if (command === undefined) return all
      commands.add(command.toLowerCase().replace('websearch', 'web'))
      return ''
    })
  return { text, notes, files, commands }
}

const fileName = `\\.(?:${pictureOrPdfEndings})`
const namedFile = new RegExp(
  `@{2,}|\\B@(?:["“]([^"”\\n]{1,400}${fileName})["”]|([^\\s@"“]{1,400}${fileName})(?!\\w))`,
  'gi',
)
