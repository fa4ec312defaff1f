import { tagsIn, unquoted } from '../phrases.js'
import { callTask, type OfflineTask, quotedName, type RequestKind, requestKind } from '../task.js'
import { citationLink, listedPaths, parseRecords, textOrEmpty } from '../tool-results.js'
import { folderName, headedList, tagNames } from './look-up.js'

// "how many notes …": in the vault, in a folder, with a tag, about something.

const countTagged = requestKind('countTagged', ({ tags: words }) => {
  const tags = tagsIn(words)
  return tags && countWithTags(tags)
})

const countAll = requestKind('countAll', () => countInFolder(undefined))

const countInNamedFolder = requestKind('countInFolder', ({ folder: words }) => {
  const folder = folderName(words)
  return folder === undefined ? undefined : countInFolder(folder)
})

const countAbout = requestKind('countAbout', ({ topic }) => {
  const words = unquoted(topic?.replace(/[\s?？.。!！]+$/u, ''))
  return words === '' ? undefined : countMentions(words)
})

/** "how many notes are in Garden", "how many notes are tagged #x", "how many notes about bread". */
export const countNotes: RequestKind = (request) =>
  countTagged(request) ?? countAll(request) ?? countInNamedFolder(request) ?? countAbout(request)

const countInFolder = (folder: string | undefined): OfflineTask =>
  callTask({
    call: { name: 'get_file_tree', input: { ...(folder && { folder }), depth: 0 } },
    failed: ({ text, code }, { say }) =>
      code === 'not-found' && folder !== undefined ? say('noneInFolder', { folder }) : text,
    // The first line of a tree counts all notes below it.
    answer: ({ text }, { say, language }) => {
      const [firstLine = ''] = text.split('\n')
      const number = Number(/[(\s](\d+) md\b/.exec(firstLine)?.[1] ?? 0)
      const n = number < 2 ? number : number.toLocaleString(language.code)
      const name = folder === undefined ? 'countAll' : 'countInFolder'
      return say(name, { n, folder: folder ?? '' })
    },
  })

const countWithTags = (tags: readonly string[]): OfflineTask =>
  callTask({
    call: { name: 'search_by_tag', input: { tags, limit: 200 } },
    answer: ({ text }, { say, language }) => {
      const total = /left out of ([\d,]+)/.exec(text)?.[1]
      const number = total === undefined ? listedPaths(text).length : Number(total.replaceAll(',', ''))
      return say('countTagged', { n: number < 2 ? number : number.toLocaleString(language.code), tags: tagNames(tags) })
    },
  })

const mostCounted = 50
const mostListed = 10

/** The notes that contain the words as they stand there, which is what a count can promise. */
const countMentions = (topic: string): OfflineTask =>
  callTask({
    call: { name: 'vault_search', input: { query: topic, limit: mostCounted } },
    answer: ({ text }, { say, language }) => {
      const { data } = parseRecords(text)
      const paths = [...new Set(data.map(({ path }) => textOrEmpty(path)))].filter((path) => path !== '')
      const isMore = paths.length === mostCounted
      const n = isMore ? say('atLeast', { n: mostCounted }) : paths.length
      const heading = say('countAbout', { n, topic: quotedName(topic, language) })
      if (paths.length === 0) return heading
      const lines = paths.slice(0, mostListed).map((path) => `- ${citationLink(path)}`)
      const left = paths.length - mostListed
      return headedList(heading, left > 0 && !isMore ? [...lines, `- ${say('moreTasks', { n: left })}`] : lines, [])
    },
  })
