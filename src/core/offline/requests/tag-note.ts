import { done } from '../answers/report.js'
import { noteName, unquoted } from './names.js'
import { aboutOneNote, whichNote } from './one-note.js'
import { phrases } from './phrases.js'
import { type Intent, saying, type Task } from './task.js'

const tagging = phrases(
  'tag {note} (with|as) (the )?(tags? )?{tags}',
  'tag {note} (?=#){tags}',
  '(add|put) (the )?tags? {tags} (to|on) {note}',
  '(add|put) (?=#){tags} (to|on) {note}',
)
const untagging = phrases(
  '(remove|delete|drop|take) (the )?tags? {tags} (from|off) {note}',
  '(remove|delete|drop|take) (?=#){tags} (from|off) {note}',
  'untag {note} (from |as )?(?=#){tags}',
)

export const tagNote: Intent = ({ text, currentNote }) => changeTags('add', tagging(text), currentNote)

export const untagNote: Intent = ({ text, currentNote }) => changeTags('remove', untagging(text), currentNote)

function changeTags(
  way: 'add' | 'remove',
  said: Record<string, string> | undefined,
  currentNote: string | undefined,
): Task | undefined {
  if (said === undefined) return undefined
  const name = noteName(said.note, currentNote)
  if (name === undefined) return whichNote('tag "Name of the note" with tag')
  const tags = tagsIn(said.tags)
  if (tags === undefined) {
    const near = unquoted(said.tags).replace(/^#/, '').trim().replace(/\s+/g, '-').slice(0, 60)
    return saying(`A tag is one word, without spaces or punctuation. Did you mean \`#${near}\`?`)
  }
  const call = { name: 'update_frontmatter', input: { path: name, [way]: { tags } } }
  return aboutOneNote({ name, call, writes: true, answer: done })
}

/** The tags in "#a, b and c"; undefined when one of them cannot be a tag. */
export function tagsIn(words: string): string[] | undefined {
  const tags = unquoted(words)
    .split(/\s*(?:,|\s(?:and|or|und|et|y)\s|&)\s*|\s+(?=#)/i)
    .map((tag) =>
      unquoted(tag)
        .replace(/^#/, '')
        .replace(/[.!?]+$/, ''),
    )
    .filter((tag) => tag !== '')
  const isTag = (tag: string) => /^[^\s#.,;:!?"'“”„«»()[\]{}<>\\|]{1,100}$/u.test(tag) && !/^\d+$/.test(tag)
  return tags.length > 0 && tags.every(isTag) ? [...new Set(tags)] : undefined
}
