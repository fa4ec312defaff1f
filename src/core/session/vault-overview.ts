import type { NoteIndex } from '../index/index.js'
import { estimateTokens, visibleText } from '../text/index.js'
import { cutText } from '../tools/index.js'
import { isNote } from '../vault/index.js'

/** The content of a vault, by name and number of notes, most used first. */
export interface VaultOverview {
  text: string
  /** Everything the text names. */
  names: ReadonlySet<string>
}

/** Tokens of the overview in a prompt. */
export const overviewTokens = { usual: 280, tight: 90 }

/** Reading the properties of more notes takes too long for every turn. */
const mostNotesRead = 10_000
const longestName = 40

/**
 * A few lines about the notes that a model may see: folders, tags and properties with their number of notes, as many as
 * fit. undefined for an empty vault.
 */
export async function vaultOverview(index: NoteIndex, tokens: number): Promise<VaultOverview | undefined> {
  const notes = (await index.files()).filter(isNote)
  if (notes.length === 0) return undefined
  const folders = new Map<string, number>()
  for (const path of notes) {
    const end = path.indexOf('/')
    if (end > 0) count(folders, path.slice(0, end))
  }
  const tags = new Map((await index.tags()).map(({ tag, notes: number }) => [`#${tag}`, number]))
  const properties = new Map<string, number>()
  if (notes.length <= mostNotesRead) {
    for (const note of await index.notes())
      for (const name of Object.keys(note.properties ?? {})) count(properties, name)
  }
  const heading = `The vault has ${notes.length.toLocaleString('en')} ${notes.length === 1 ? 'note' : 'notes'}.`
  const names = new Set<string>()
  const lists = [
    ['Folders', folders],
    ['Tags', tags],
    ['Properties', properties],
  ] as const
  let left = tokens - estimateTokens(heading)
  const lines = lists.flatMap(([title, counts], at) => {
    // Room that a short list leaves goes to the next ones.
    const share = left / (lists.length - at)
    const line = listLine(title, counts, share, names)
    if (line !== undefined) left -= estimateTokens(line) + 1
    return line ?? []
  })
  return { text: [heading, ...lines].join('\n'), names }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function listLine(
  title: string,
  counts: ReadonlyMap<string, number>,
  tokens: number,
  names: Set<string>,
): string | undefined {
  const byUse = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  const shown: string[] = []
  let left = tokens - estimateTokens(`${title}: , and ${counts.size} more.`)
  for (const [name, number] of byUse) {
    const entry = `${shownName(name)} ${number}`
    left -= estimateTokens(`${entry}, `)
    if (left < 0) break
    shown.push(entry)
    names.add(name)
  }
  if (shown.length === 0) return undefined
  const more = counts.size - shown.length
  return `${title}: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`
}

function shownName(name: string): string {
  const line = visibleText(name.slice(0, longestName * 2).replace(/\s+/g, ' ')).text
  return line.length > longestName ? `${cutText(line, longestName)}…` : line
}
