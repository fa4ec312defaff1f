import { citationLink } from './citation-link.js'
import { listed } from './link-lists.js'
import { dataIn, recordsIn, textOf } from './result-data.js'

export function tagList(text: string): string {
  const lines = text.trim().split('\n')
  const tags = lines.flatMap((line) => {
    const [, tag, notes] = /^(#\S+) (\d+)$/.exec(line.trim()) ?? []
    return tag === undefined ? [] : [`- ${tag} (${notes})`]
  })
  if (tags.length === 0) return text.trim()
  return listed(
    'Tags, with the number of notes that carry them:',
    tags,
    lines.filter((line) => !/^#\S+ \d+$/.test(line.trim())),
  )
}

export function taggedNotes(tags: readonly string[], text: string): string {
  const named = tags.map((tag) => `#${tag}`).join(', ')
  return noteList(`Notes tagged ${named}:`, `No note is tagged ${named}.`, text)
}

/** Notes by their links, one a line. */
export function noteList(heading: string, none: string, text: string): string {
  const { data, remarks } = recordsIn(text)
  const paths = [...new Set(data.map(({ path }) => textOf(path)))].filter((path) => path !== '')
  return paths.length === 0
    ? [none, ...remarks].join('\n\n')
    : listed(
        heading,
        paths.map((path) => `- ${citationLink(path)}`),
        remarks,
      )
}

export function randomNoteText(text: string): string {
  const { data } = dataIn<Record<string, unknown>>(text)
  const path = textOf(data?.path)
  if (path === '') return text
  // What it begins with is shown as it stands; links in it are not our citations.
  const preview = textOf(data?.preview).replace(/`{3,}/g, '``')
  return `${citationLink(path)}${preview === '' ? '' : `\n\n\`\`\`markdown\n${preview}\n\`\`\``}`
}
