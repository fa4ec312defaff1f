import { shortText } from './result-format.js'

/** A line of a list of notes: the note, and cells about it. */
export interface NoteRow {
  path: string
  cells?: readonly string[]
}

/**
 * A list of notes as lines. Notes in a row that are in one folder follow a line with that folder, ending with `/`,
 * where this makes the list shorter; the vault's top is `/`.
 */
export function noteRows(rows: readonly NoteRow[]): string[] {
  const folders = rows.map(({ path }) => path.slice(0, path.lastIndexOf('/') + 1))
  const line = (name: string, { cells = [] }: NoteRow) => [shortText(name, 1000), ...cells].join(' | ')
  const runs = folders.filter((folder, at) => folder !== folders[at - 1]).length
  if (runs * 2 > rows.length) return rows.map((row) => line(row.path, row))
  return rows.flatMap((row, at) => {
    const folder = folders[at] ?? ''
    const own = line(row.path.slice(folder.length), row)
    return folder === folders[at - 1] ? [own] : [shortText(folder, 1000) || '/', own]
  })
}

/** The paths in a list of notes. Lines that are no rows, such as a heading, are to be left out before. */
export function pathsInRows(lines: readonly string[]): string[] {
  let folder = ''
  return lines.flatMap((line) => {
    const [name = ''] = line.split(' | ')
    if (!name.endsWith('/')) return [folder + name]
    folder = name === '/' ? '' : name
    return []
  })
}
