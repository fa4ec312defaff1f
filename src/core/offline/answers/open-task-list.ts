import { broken, readLines, scanNote } from '../../markdown/index.js'
import type { Result } from '../prompt/index.js'
import { citationLink } from './citation-link.js'
import { recordsIn, textOf } from './result-data.js'
import { sourcesIn } from './sources.js'

const mostPerNote = 10

/** The tasks of the notes that were read that nobody has ticked off, and which notes hold more. */
export function openTaskList(results: readonly Result[]): string {
  const reads = sourcesIn(results).filter(({ path }) => path !== undefined)
  const read = new Set<string>(reads.map(({ path }) => path!))
  const parts = reads.flatMap(({ path, text }) => {
    const tasks = openTasksIn(text)
    if (tasks.length === 0) return []
    const left = tasks.length - mostPerNote
    const lines = tasks.slice(0, mostPerNote).map((task) => `- ${task}`)
    if (left > 0) lines.push(`- … and ${left} more`)
    return [{ count: tasks.length, text: [`${citationLink(path!)}:`, ...lines].join('\n') }]
  })
  const found = results.filter(({ name, isError }) => name === 'vault_search' && !isError)
  const others = found.flatMap(({ text }) => recordsIn(text).data.map(({ path }) => textOf(path)))
  const unread = [...new Set(others)].filter((path) => path !== '' && !read.has(path))
  if (parts.length === 0) return 'There are no open tasks.'
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const heading = `${count === 1 ? 'One open task' : `${count} open tasks`} in ${parts.length === 1 ? 'one note' : `${parts.length} notes`}:`
  const more =
    unread.length === 0
      ? []
      : [['These notes hold boxes too:', ...unread.map((path) => `- ${citationLink(path)}`)].join('\n')]
  return [heading, ...parts.map(({ text }) => text), ...more].join('\n\n')
}

function openTasksIn(text: string): string[] {
  const lines = readLines(text)
  const open = scanNote(text).tasks.filter(({ status }) => status === ' ')
  return open
    .map(({ line }) => broken(lines[line - 1]?.words ?? '').replace(/[[\]]/g, ''))
    .filter((words) => words !== '')
}
