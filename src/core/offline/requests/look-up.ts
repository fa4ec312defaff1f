import type { AnswerGuidance } from '../guidance.js'
import { isMarked, namedNote, phrases, tagsIn, unquoted } from '../phrases.js'
import type { CallResult } from '../prompt.js'
import {
  askWhichNote,
  type Call,
  callTask,
  noteTask,
  type OfflineTask,
  type RequestKind,
  replyWith,
  requestKind,
} from '../task.js'
import {
  citationLink,
  dataIn,
  listedPaths,
  listRemarks,
  numberedLines,
  parseRecords,
  textOrEmpty,
} from '../tool-results.js'

// Requests that look something up with one tool and list it: notes, tags, folders, links, the time, the web.

export const randomNote = requestKind('randomNote', ({ tags, folder: folderWords }) => {
  const [tag] = tagsIn(tags) ?? []
  const folder = namedNote(folderWords?.replace(/\s+folder$/i, ''))
  return lookUp('get_random_note', { ...(tag && { tag }), ...(folder && { folder }) }, randomNoteText)
})

function randomNoteText(text: string): string {
  const { data } = dataIn<Record<string, unknown>>(text)
  const path = textOrEmpty(data?.path)
  if (path === '') return text
  // In a fence, the links of the note are not taken for citations.
  const preview = textOrEmpty(data?.preview).replace(/`{3,}/g, '``')
  return `${citationLink(path)}${preview === '' ? '' : `\n\n\`\`\`markdown\n${preview}\n\`\`\``}`
}

export const listTags = requestKind('listTags', () => lookUp('get_tag_list', {}, tagList))

/** The tags in the text of `get_tag_list`, most used first, with their numbers of notes. */
export function tagCounts(text: string): { tag: string; notes: string }[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, tag, notes] = /^(#\S+) (\d+)$/.exec(line.trim()) ?? []
      return tag === undefined || notes === undefined ? [] : [{ tag, notes }]
    })
}

function tagList(text: string, { say }: AnswerGuidance): string {
  const tags = tagCounts(text).map(({ tag, notes }) => `- ${tag} (${notes})`)
  if (tags.length === 0) return text.trim()
  const rest = text
    .trim()
    .split('\n')
    .filter((line) => !/^#\S+ \d+$/.test(line.trim()))
  return headedList(say('tags'), tags, rest)
}

/** "notes tagged #x". Words that cannot be tags make it another kind of request. */
export const notesWithTag = requestKind('taggedNotes', ({ tags: words = '' }) => {
  const tags = tagsIn(words)
  if (tags === undefined) return undefined
  const match = /\s(?:or|oder|ou|o)\s/i.test(words) ? { match: 'any' } : {}
  const named = tagNames(tags)
  return lookUp('search_by_tag', { tags, ...match }, (text, { say }) =>
    pathList(say('tagged', { tags: named }), say('noneTagged', { tags: named }), listedPaths(text), listRemarks(text)),
  )
})

export const tagNames = (tags: readonly string[]): string => tags.map((tag) => `#${tag}`).join(', ')

const maxNotesInFolder = 50

/** "list the notes in Garden". */
export const notesInFolder = requestKind('notesInFolder', (match) => {
  const folder = folderName(match.folder)
  if (folder === undefined) return undefined
  return lookUp('search_notes', { query: '', top_k: maxNotesInFolder, filter: { folder } }, (text, { say }) => {
    const isCut = parseRecords(text).data.length === maxNotesInFolder
    const heading = isCut ? say('firstInFolder', { n: maxNotesInFolder, folder }) : say('inFolder', { folder })
    return noteList(heading, say('noneInFolder', { folder }), text)
  })
})

export function folderName(words: string | undefined): string | undefined {
  const folder = namedNote(words)?.replace(/^\/+|\/+$/g, '')
  return folder === '' ? undefined : folder
}

/** "what links to A". */
export const backlinks = requestKind('backlinks', ({ note }, { currentNote }) =>
  listLinks('list_backlinks', namedNote(note, currentNote), backlinkList),
)

/** "what does A link to", "links of A". */
export const forwardLinks = requestKind('forwardLinks', ({ note }, { currentNote }) =>
  listLinks('list_forward_links', namedNote(note, currentNote), forwardLinkList),
)

type LinkList = (name: string, text: string, guidance: AnswerGuidance) => string

function listLinks(tool: string, name: string | undefined, list: LinkList): OfflineTask {
  if (name === undefined) return askWhichNote('links')
  const call = { name: tool, input: { path: name } }
  return noteTask({ name, call, answer: ({ text }, guidance) => list(name, text, guidance) })
}

/** The notes that link to a note, each once. */
function backlinkList(name: string, text: string, { say }: AnswerGuidance): string {
  const counts = new Map<string, number>()
  for (const { above } of numberedLines(text)) counts.set(above, (counts.get(above) ?? 0) + 1)
  const heading = say('backlinks', { n: counts.size, note: name })
  if (counts.size === 0) return heading
  const lines = [...counts].map(
    ([path, count]) => `- ${citationLink(path)}${count > 1 ? ` ${say('times', { n: count })}` : ''}`,
  )
  return headedList(heading, lines, listRemarks(text))
}

/** The targets of a note's links, each once. */
function forwardLinkList(name: string, text: string, { say }: AnswerGuidance): string {
  const lines = numberedLines(text).map(({ text: link }) => {
    const [, target] = / -> (.*)$/.exec(link) ?? []
    if (target !== undefined) return `- ${citationLink(target)}`
    const [, written = link] = /^!?\[\[([^\]|]*)/.exec(link) ?? /\]\(([^)]*)\)/.exec(link) ?? []
    return `- ${written
      .replace(/ \(no such note\)$/, '')
      .replace(/[[\]`\n]/g, ' ')
      .trim()} ${say('brokenLink')}`
  })
  if (lines.length === 0) return say('noLinks', { note: name })
  return headedList(say('links', { note: name }), [...new Set(lines)], listRemarks(text))
}

const isReading = requestKind('readNote', ({ note }, { currentNote }) => readTask(note, currentNote))
// "show me how to prune" is a question, so these verbs need a note that is named as one.
const isShowing = requestKind('showNote', ({ note }, { currentNote, language }) =>
  language.code !== 'en' || isNamedAsNote(note) ? readTask(note, currentNote) : undefined,
)

/** "show [[A]]", "read A". */
export const readNoteRequest: RequestKind = (request) => {
  const { text, mentioned, currentNote } = request
  const onlyMention = mentioned.length === 1 && text === `[[${mentioned[0]}]]`
  return isReading(request) ?? isShowing(request) ?? (onlyMention ? readTask(text, currentNote) : undefined)
}

function readTask(words: string | undefined, currentNote: string | undefined): OfflineTask {
  const name = namedNote(words, currentNote)
  if (name === undefined) return askWhichNote('read')
  // The tool understands a link with its heading or block.
  const link = /\[\[[^\]\n]*#[^\]\n]*\]\]/.exec(words ?? '')?.[0]
  const path = link ?? (/#/.test(name) && !isMarked(words) ? `[[${name}]]` : name)
  return noteTask({ name, call: readCall(path), answer: noteText })
}

const readCall = (path: string): Call => ({ name: 'read_note', input: { path } })

function isNamedAsNote(note = ''): boolean {
  const words = note.trim()
  return (
    isMarked(words) ||
    /^(?:the|my|our)\s+(?:note|file|page)\s+\S|^note\s+["“„«‘'`[]|^(?:the|my|our)\s+.+\s(?:note|page)$/i.test(words) ||
    /^(?:this|the (?:open|current)) note$/i.test(words) ||
    /^[^\s/][^/]*\/\S/.test(unquoted(words))
  )
}

/** The note in a fence, so that it is not mistaken for the model's words or for a citation. */
function noteText({ text }: CallResult): string {
  const at = text.search(/^\[.+\]/m)
  const end = text.indexOf('\n', Math.max(at, 0))
  if (at === -1 || end === -1) return text
  const header = text
    .slice(0, end)
    .trim()
    .replace(/^\[(.+?)\](.*)$/s, '$1.$2')
  const content = text.slice(end + 1).replace(/\n+$/, '')
  if (content === '') return header
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${header}\n\n${fence}markdown\n${content}\n${fence}`
}

/** "what time is it". */
const isAskingTime = phrases([
  '(what|which) time is it( (right )?now)?( in {zone})?',
  "what('s| is) the (current )?time( (right )?now)?( in {zone})?",
  '(the )?current time( in {zone})?',
  '(what|which) (day|date) is (it|today)( today)?',
  "what('s| is) (the date|the day|today's date|the date today)( today)?",
  "today's date",
])

export const askTime: RequestKind = ({ text }) => {
  const [match] = isAskingTime(text)
  if (match === undefined) return undefined
  const input = match.zone === undefined ? {} : { timezone: match.zone.trim() }
  return lookUp('get_current_time', input, (found) => found.split('\n')[0] ?? '')
}

/** "@web …". */
export const searchWeb: RequestKind = ({ text, commands }) => {
  if (!commands.has('web')) return undefined
  if (text === '') return replyWith(() => 'Write what to search for after `@web`.')
  // Brackets on a web page are not links to notes.
  return lookUp('web_search', { query: text }, (found) => `From the web:\n\n${found.replace(/\[\[/g, '[ [')}`)
}

const lookUp = (
  tool: string,
  input: Record<string, unknown>,
  answer: (text: string, guidance: AnswerGuidance) => string,
): OfflineTask => callTask({ call: { name: tool, input }, answer: ({ text }, guidance) => answer(text, guidance) })

/** Links to the notes of a result, one per line. */
export function noteList(heading: string, none: string, text: string): string {
  const { data, remarks } = parseRecords(text)
  const paths = data.map(({ path }) => textOrEmpty(path))
  return pathList(heading, none, paths, remarks)
}

function pathList(heading: string, none: string, given: readonly string[], remarks: readonly string[]): string {
  const paths = [...new Set(given)].filter((path) => path !== '')
  return paths.length === 0
    ? [none, ...remarks].join('\n\n')
    : headedList(
        heading,
        paths.map((path) => `- ${citationLink(path)}`),
        remarks,
      )
}

export const headedList = (heading: string, lines: readonly string[], remarks: readonly string[]): string =>
  [[heading, '', ...lines].join('\n'), ...remarks].join('\n\n')
