/** A line of a TOML file, or the several lines of one value. The texts of all of them are the file. */
export interface TomlLine {
  text: string
  /** Of `[mcp_servers.notewright]`, without quotes and blanks. */
  table?: string
  /** The head of a list of tables: `[[profiles]]`. */
  isArray?: true
  /** Of `command = …`. */
  key?: string
  /** Nothing, or a comment. */
  isBlank?: true
}

/** Cuts a file where a line begins something new: not within brackets, and not within texts of several lines. */
export function tomlLines(text: string): TomlLine[] {
  const lines: TomlLine[] = []
  let start = 0
  while (start < text.length) {
    const end = endOf(text, start)
    lines.push(lineOf(text.slice(start, end)))
    start = end
  }
  return lines
}

const quotes = ['"""', "'''", '"', "'"]

/** Where the line that begins here ends, with its line feed. */
function endOf(text: string, start: number): number {
  let depth = 0
  // The brackets of a head close on its own line; those of a value may not.
  for (let at = start; at < text.length; ) {
    const quote = quotes.find((mark) => text.startsWith(mark, at))
    if (quote !== undefined) at = afterText(text, at + quote.length, quote)
    else if (text[at] === '#') at = lineEnd(text, at)
    else if (text[at] === '\n' && depth <= 0) return at + 1
    else {
      if ('[{'.includes(text[at])) depth++
      if (']}'.includes(text[at])) depth--
      at++
    }
  }
  return text.length
}

function afterText(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\' && quote[0] === '"') at++
    else if (text.startsWith(quote, at)) return at + quote.length
    // A text of one line that is not closed there: whoever reads the file complains, not we.
    else if (text[at] === '\n' && quote.length === 1) return at
  }
  return text.length
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function lineOf(text: string): TomlLine {
  const bare = text.trim()
  if (bare === '' || bare.startsWith('#')) return { text, isBlank: true }
  if (bare.startsWith('[[')) return { text, isArray: true }
  const head = /^\[([^\]]*)\]/.exec(bare)
  if (head !== null) return { text, table: nameOf(head[1]) }
  const key = /^([^=#]*?)\s*=/.exec(bare)
  return { text, ...(key && { key: nameOf(key[1]) }) }
}

const nameOf = (written: string): string =>
  written
    .split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.')
