import { readLines, restoreSentenceEnds, scanNote } from '../../markdown/index.js'
import { isMarked, namedNote, phrases, tagsIn, unquoted } from '../phrases.js'
import type { CallResult } from '../prompt.js'
import {
  askWhichNote,
  type Call,
  callTask,
  lastResult,
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
  quotableTexts,
  textOrEmpty,
} from '../tool-results.js'

// Requests that look something up with one tool and list it: notes, tags, folders, links, tasks, the time, the web.

const showAny = '((show|list|get|find|give|pick|open|read) )?(me )?'
const showMe = '((show|list|get|find|give) )?(me )?'

export const randomNote = requestKind(
  [
    `${showAny}(a |any |some )?random note( ((with|having) (the )?tag|tagged)( with)? {tags})?`,
    `${showAny}(a |any |some )?random note (from|in) (the )?(folder )?{folder}`,
    'surprise me',
  ],
  ({ tags, folder: folderWords }) => {
    const [tag] = tagsIn(tags) ?? []
    const folder = namedNote(folderWords?.replace(/\s+folder$/i, ''))
    return lookUp('get_random_note', { ...(tag && { tag }), ...(folder && { folder }) }, randomNoteText)
  },
)

function randomNoteText(text: string): string {
  const { data } = dataIn<Record<string, unknown>>(text)
  const path = textOrEmpty(data?.path)
  if (path === '') return text
  // In a fence, the links of the note are not taken for citations.
  const preview = textOrEmpty(data?.preview).replace(/`{3,}/g, '``')
  return `${citationLink(path)}${preview === '' ? '' : `\n\n\`\`\`markdown\n${preview}\n\`\`\``}`
}

export const listTags = requestKind(
  [
    '(list|show|get|give)( me)?( all)?( (the|my|our))? tags',
    '(what|which) tags (are there|exist|are used|are in use|do (I|we) (have|use)|does the vault have)',
    'what are (all )?(the|my|our) tags',
    '(all )?tags',
  ],
  () => lookUp('get_tag_list', {}, tagList),
)

function tagList(text: string): string {
  const lines = text.trim().split('\n')
  const tags = lines.flatMap((line) => {
    const [, tag, notes] = /^(#\S+) (\d+)$/.exec(line.trim()) ?? []
    return tag === undefined ? [] : [`- ${tag} (${notes})`]
  })
  if (tags.length === 0) return text.trim()
  return headedList(
    'Tags and their number of notes:',
    tags,
    lines.filter((line) => !/^#\S+ \d+$/.test(line.trim())),
  )
}

const someNotes = '(all )?(the |my |our )?(notes?|pages?|everything|files?)'

/** "notes tagged #x". Words that cannot be tags make it another kind of request. */
export const notesWithTag = requestKind(
  [
    `${showAny}${someNotes} ((that|which) (is|are) )?(tagged|labell?ed|marked) (with |as )?(the )?(tags? )?{tags}`,
    `${showAny}${someNotes} (with|having|((that|which) )?(has|have|carry)) (the )?tags? {tags}`,
    `${showAny}${someNotes} (with )?(?=#){tags}`,
    `(what|which) (notes|pages) (are (tagged|labell?ed|marked)|have|carry) (with |as )?(the )?(tags? )?{tags}`,
    '(?=#){tags}',
  ],
  ({ tags: words = '' }) => {
    const tags = tagsIn(words)
    if (tags === undefined) return undefined
    const match = /\sor\s/i.test(words) ? { match: 'any' } : {}
    const named = tags.map((tag) => `#${tag}`).join(', ')
    return lookUp('search_by_tag', { tags, ...match }, (text) =>
      pathList(`Notes tagged ${named}:`, `No note is tagged ${named}.`, listedPaths(text), listRemarks(text)),
    )
  },
)

const allNotes = '(all )?(of )?(the |my |our )?(notes|pages|files|everything)'
const maxNotesInFolder = 50

/** "list the notes in Garden". */
export const notesInFolder = requestKind(
  [
    `${showMe}${allNotes} (that are |which are )?(in|under|inside|from|of) (the |my )?folder {folder}`,
    `${showMe}${allNotes} (that are |which are )?(in|under|inside|from|of) (the |my )?{folder} folder`,
    `(show|list|get|find|give) (me )?${allNotes} (in|under|inside) {folder}`,
    `(what|which) (notes|pages|files) (are|do (I|we) have) (there )?(in|under|inside) (the |my )?(folder )?{folder}`,
    "what('s| is) (there )?in (the |my )?folder {folder}",
    "what('s| is) (there )?in (the |my )?{folder} folder",
    '(list|show) (me )?(the |my )?folder {folder}',
  ],
  (match) => {
    const folder = folderName(match.folder)
    if (folder === undefined) return undefined
    return lookUp('search_notes', { query: '', top_k: maxNotesInFolder, filter: { folder } }, (text) => {
      const isCut = parseRecords(text).data.length === maxNotesInFolder
      const heading = isCut ? `The first ${maxNotesInFolder} notes in ${folder}:` : `Notes in ${folder}:`
      return noteList(heading, `There are no notes in a folder ${folder}.`, text)
    })
  },
)

const howMany = 'how many (notes|pages|files)'

/** "how many notes are in Garden", "how many notes are tagged #x". */
export const countNotes = requestKind(
  [
    `${howMany} (are|do (I|we) have) (there )?(tagged|with the tag|labell?ed)( with)? {tags}`,
    `${howMany} (are|have|carry) (tagged|the tag)( with)? {tags}`,
    `${howMany} (are|do (I|we) have) (there )?(in|under|inside) (the |my |this )?(vault|notebook)`,
    `${howMany} (are|do (I|we) have) (there )?(in|under|inside) (the |my )?(folder )?{folder}`,
    `${howMany} (are there|do (I|we) have|does (the|my|this) vault (have|hold|contain))`,
    `(count|number of) (all )?(of )?(the |my |our )?(notes|pages)( in (the |my |this )?vault)?`,
  ],
  ({ tags: words, folder: folderWords }) => {
    if (words === undefined) return countInFolder(folderName(folderWords))
    const tags = tagsIn(words)
    return tags && countTagged(tags)
  },
)

const countInFolder = (folder: string | undefined): OfflineTask =>
  callTask({
    call: { name: 'get_file_tree', input: { ...(folder && { folder }), depth: 0 } },
    failed: ({ text }) => text.replace(/\s*Leave folder out.*$/, ''),
    // The first line of a tree counts all notes below it.
    answer: ({ text }) => {
      const [firstLine = ''] = text.split('\n')
      const number = Number(/[(\s](\d+) md\b/.exec(firstLine)?.[1] ?? 0)
      return `There ${isOrAreNotes(number)} in ${folder ?? 'the vault'}.`
    },
  })

const countTagged = (tags: readonly string[]): OfflineTask =>
  callTask({
    call: { name: 'search_by_tag', input: { tags, limit: 200 } },
    answer: ({ text }) => {
      const total = /left out of ([\d,]+)/.exec(text)?.[1]
      const number = total === undefined ? listedPaths(text).length : Number(total.replaceAll(',', ''))
      return `There ${isOrAreNotes(number)} tagged ${tags.map((tag) => `#${tag}`).join(', ')}.`
    },
  })

const isOrAreNotes = (count: number): string =>
  count === 1 ? 'is one note' : `are ${count === 0 ? 'no' : count.toLocaleString('en')} notes`

function folderName(words: string | undefined): string | undefined {
  const folder = namedNote(words)?.replace(/^\/+|\/+$/g, '')
  return folder === '' ? undefined : folder
}

const showAll = '((show|list|get|find|give) )?(me )?(all )?(the )?'

/** "what links to A". */
export const backlinks = requestKind(
  [
    '(what|who|(what|which) (notes|pages|files)) (all )?(links?|points?|refers?|leads?) (back )?to {note}',
    `${showAll}(backlinks|back links|incoming links) (of|to|for|from) {note}`,
    'what are the (backlinks|back links|incoming links) (of|to|for) {note}',
  ],
  ({ note }, { currentNote }) => listLinks('list_backlinks', namedNote(note, currentNote), backlinkList),
)

/** "what does A link to", "links of A". */
export const forwardLinks = requestKind(
  [
    '(what|where|(what|which) (notes|pages)) does {note} (link|point|refer|lead)( to)?',
    `${showAll}((forward|outgoing|outbound) )?links (of|in|from|on) {note}`,
    'what are the ((forward|outgoing) )?links (of|in|from) {note}',
  ],
  ({ note }, { currentNote }) => listLinks('list_forward_links', namedNote(note, currentNote), forwardLinkList),
)

function listLinks(tool: string, name: string | undefined, list: (name: string, text: string) => string): OfflineTask {
  if (name === undefined) return replyWith('I can\'t tell which note you mean. Name it: `what links to "Name"`.')
  return noteTask({ name, call: { name: tool, input: { path: name } }, answer: ({ text }) => list(name, text) })
}

/** The notes that link to a note, each once. */
function backlinkList(name: string, text: string): string {
  const counts = new Map<string, number>()
  for (const { above } of numberedLines(text)) counts.set(above, (counts.get(above) ?? 0) + 1)
  if (counts.size === 0) return `No other note links to ${name}.`
  const lines = [...counts].map(([path, count]) => `- ${citationLink(path)}${count > 1 ? ` (${count} links)` : ''}`)
  const heading = `${counts.size === 1 ? 'One note links' : `${counts.size} notes link`} to ${name}:`
  return headedList(heading, lines, listRemarks(text))
}

/** The targets of a note's links, each once. */
function forwardLinkList(name: string, text: string): string {
  const lines = numberedLines(text).map(({ text: link }) => {
    const [, target] = / -> (.*)$/.exec(link) ?? []
    if (target !== undefined) return `- ${citationLink(target)}`
    const [, written = link] = /^!?\[\[([^\]|]*)/.exec(link) ?? /\]\(([^)]*)\)/.exec(link) ?? []
    return `- ${written
      .replace(/ \(no such note\)$/, '')
      .replace(/[[\]`\n]/g, ' ')
      .trim()} (no such note)`
  })
  if (lines.length === 0) return `There are no links in ${name}.`
  return headedList(`Links in ${name}:`, [...new Set(lines)], listRemarks(text))
}

const showMy = '((show|list|get|find|give) )?(me )?(all )?(of )?(the |my |our )?'
const someTasks =
  '(open |unfinished |incomplete |outstanding |pending |undone |remaining )?(tasks|todos|to-dos)( list)?'
const notDoneYet = '(open|unfinished|left|undone|to do|pending|not done|outstanding)'

/** "open tasks", "tasks in Garden". */
export const openTasks = requestKind(
  [
    `${showMy}${someTasks}( that are)?( ${notDoneYet})? (in|of|from) {note}`,
    `${showMy}(open |unfinished |incomplete |outstanding |pending |undone |remaining )(tasks|todos|to-dos)`,
    `((show|list|get|find|give) )(me )?(all )?(of )?(the |my |our )?(tasks|todos|to-dos)( that are)?( ${notDoneYet})?`,
    `(what|which) (are )?(the |my |our )?${someTasks} (are |is )?(still |yet )?(${notDoneYet}|do (I|we) (still )?have( left)?|are there|(I|we) have)`,
    '(what|which) are (the |my |our )?(open|unfinished|pending|outstanding) (tasks|todos|to-dos)',
    'what do (I|we) (still )?(have|need) to do',
    'what is (left|still) (to do|to be done)',
    'how many (open |unfinished |pending |undone )?(tasks|todos|to-dos) (do (I|we) have|are (there|open|left))( open| left)?',
    '(my |the )?(open tasks|todos|to-do list|todo list|open todos)',
  ],
  ({ note }, { currentNote }) => {
    const name = namedNote(note, currentNote)
    return name === undefined ? tasksOfVault : tasksOfNote(name)
  },
)

/** An unchecked box followed by text. */
const uncheckedBox = '[ ] '
const maxNotesFound = 50
const maxNotesRead = 8

const tasksOfVault: OfflineTask = {
  tools: ['vault_search', 'read_note'],
  next(results) {
    const found = lastResult(results, 'vault_search')
    if (found === undefined) return [{ name: 'vault_search', input: { query: uncheckedBox, limit: maxNotesFound } }]
    if (found.isError || results.some(({ name }) => name === 'read_note')) return []
    const paths = parseRecords(found.text).data.map(({ path }) => textOrEmpty(path))
    return paths.slice(0, maxNotesRead).map((path) => readCall(path))
  },
  answer(results) {
    const found = lastResult(results, 'vault_search')
    return found?.isError ? found.text : openTaskList(results)
  },
}

const tasksOfNote = (name: string): OfflineTask => ({
  tools: ['read_note'],
  next: (results) => (results.length === 0 ? [readCall(name)] : []),
  answer(results) {
    const result = lastResult(results, 'read_note')
    return result?.isError ? result.text : openTaskList(results)
  },
})

const readCall = (path: string): Call => ({ name: 'read_note', input: { path } })

const maxTasksPerNote = 10

/** The open tasks of the notes that were read, and further notes with boxes. */
function openTaskList(results: readonly CallResult[]): string {
  const read = new Set<string>()
  const parts = quotableTexts(results).flatMap(({ path, text }) => {
    if (path === undefined) return []
    read.add(path)
    const tasks = openTasksIn(text)
    if (tasks.length === 0) return []
    const left = tasks.length - maxTasksPerNote
    const lines = tasks.slice(0, maxTasksPerNote).map((task) => `- ${task}`)
    if (left > 0) lines.push(`- … and ${left} more`)
    return [{ count: tasks.length, text: [`${citationLink(path)}:`, ...lines].join('\n') }]
  })
  if (parts.length === 0) return 'There are no open tasks.'
  const found = results.filter(({ name, isError }) => name === 'vault_search' && !isError)
  const paths = found.flatMap(({ text }) => parseRecords(text).data.map(({ path }) => textOrEmpty(path)))
  const unread = [...new Set(paths)].filter((path) => path !== '' && !read.has(path))
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const heading = `${count === 1 ? 'One open task' : `${count} open tasks`} in ${parts.length === 1 ? 'one note' : `${parts.length} notes`}:`
  const more =
    unread.length === 0
      ? []
      : [['These notes also contain checkboxes:', ...unread.map((path) => `- ${citationLink(path)}`)].join('\n')]
  return [heading, ...parts.map(({ text }) => text), ...more].join('\n\n')
}

function openTasksIn(text: string): string[] {
  const lines = readLines(text)
  const open = scanNote(text).tasks.filter(({ status }) => status === ' ')
  return open
    .map(({ line }) => restoreSentenceEnds(lines[line - 1]?.words ?? '').replace(/[[\]]/g, ''))
    .filter((words) => words !== '')
}

const isReading = phrases('(read|open|view|cat)( me)? {note}')
// "show me how to prune" is a question, so these verbs need a note that is named as one.
const isShowing = phrases('(show|display|print|summarize|summarise|sum up|give)( me)? {note}')

/** "show [[A]]", "read A". */
export const readNoteRequest: RequestKind = ({ text, currentNote, mentioned }) => {
  const shown = isShowing(text)?.note
  const onlyMention = mentioned.length === 1 && text === `[[${mentioned[0]}]]` ? text : undefined
  const words = isReading(text)?.note ?? (isNamedAsNote(shown) ? shown : onlyMention)
  if (words === undefined) return undefined
  const name = namedNote(words, currentNote)
  if (name === undefined) return askWhichNote('show "Name of the note"')
  // The tool understands a link with its heading or block.
  const link = /\[\[[^\]\n]*#[^\]\n]*\]\]/.exec(words)?.[0]
  const path = link ?? (/#/.test(name) && !isMarked(words) ? `[[${name}]]` : name)
  return noteTask({ name, call: readCall(path), answer: noteText })
}

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
export const askTime = requestKind(
  [
    '(what|which) time is it( (right )?now)?( in {zone})?',
    "what('s| is) the (current )?time( (right )?now)?( in {zone})?",
    '(the )?current time( in {zone})?',
    '(what|which) (day|date) is (it|today)( today)?',
    "what('s| is) (the date|the day|today's date|the date today)( today)?",
    "today's date",
  ],
  ({ zone }) => {
    const input = zone === undefined ? {} : { timezone: zone.trim() }
    return lookUp('get_current_time', input, (text) => text.split('\n')[0] ?? '')
  },
)

/** "@web …". */
export const searchWeb: RequestKind = ({ text, commands }) => {
  if (!commands.has('web')) return undefined
  if (text === '') return replyWith('Write what to search for after `@web`.')
  // Brackets on a web page are not links to notes.
  return lookUp('web_search', { query: text }, (found) => `From the web:\n\n${found.replace(/\[\[/g, '[ [')}`)
}

const lookUp = (tool: string, input: Record<string, unknown>, answer: (text: string) => string): OfflineTask =>
  callTask({ call: { name: tool, input }, answer: ({ text }) => answer(text) })

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

const headedList = (heading: string, lines: readonly string[], remarks: readonly string[]): string =>
  [[heading, '', ...lines].join('\n'), ...remarks].join('\n\n')
