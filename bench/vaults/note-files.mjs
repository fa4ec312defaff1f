import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'

/** Every note of a vault, as absolute paths in a stable order; folders that begin with a dot are skipped. */
export function noteFiles(folder) {
  const files = []
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) for (const file of noteFiles(join(folder, entry.name))) files.push(file)
    else if (entry.isFile() && entry.name.endsWith('.md')) files.push(join(folder, entry.name))
  }
  return files
}

/**
 * The notes of a vault one by one, as every peer is given them: read from disk when asked for, so that an engine's
 * memory is its own. The title is a heading in the first line, else the file's name.
 */
export function* readNotes(vault) {
  for (const file of noteFiles(vault)) {
    const text = readFileSync(file, 'utf8')
    const heading = /^# (.+)\n+/.exec(text)
    yield {
      path: relative(vault, file).split(sep).join('/'),
      title: heading ? heading[1] : basename(file, '.md'),
      body: heading ? text.slice(heading[0].length) : text,
    }
  }
}
