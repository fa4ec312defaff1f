import { type AnswerGuidance, type ExampleNames, exampleRequests } from '../guidance.js'
import { languageOf } from '../languages/languages.js'
import type { CallResult } from '../prompt.js'
import { lastResult, type OfflineRequest, type OfflineTask, type RequestKind } from '../task.js'
import { listedPaths } from '../tool-results.js'
import { askQuestion } from './ask-question.js'
import { countNotes } from './count-notes.js'
import { openTasks, tasksDue } from './list-tasks.js'
import { backlinks, forwardLinks, listTags, notesInFolder, notesWithTag, tagCounts } from './look-up.js'
import { notesOfTime } from './notes-of-time.js'

// Requests that need a language model, and the requests that work without one.

/** A text that shows example requests with a note, a folder and a tag of this vault. */
export function explainRequests(text: (guidance: AnswerGuidance, names: ExampleNames) => string): OfflineTask {
  return {
    tools: [],
    next: (results) =>
      results.length > 0
        ? []
        : [
            { name: 'query_notes', input: { sort: ['file.mtime desc'], limit: 20 } },
            { name: 'get_tag_list', input: {} },
          ],
    answer: (results, guidance) => text(guidance, namesIn(results)),
  }
}

/** Short names, which look right in an example. */
function namesIn(results: readonly CallResult[]): ExampleNames {
  const notes = lastResult(results, 'query_notes')
  const tags = lastResult(results, 'get_tag_list')
  const paths = notes?.isError === false ? listedPaths(notes.text) : []
  const found = paths.map((path) => path.replace(/\.md$/i, ''))
  const named = found.map((path) => path.slice(path.lastIndexOf('/') + 1)).filter(isShortName)
  const folders = found.map((path) => path.split('/').slice(0, -1)[0] ?? '').filter(isShortName)
  const [tag] = tags?.isError === false ? tagCounts(tags.text) : []
  const note = named.find((name) => /\p{L}{3}/u.test(name)) ?? named[0]
  return {
    ...(note !== undefined && { note }),
    ...(folders[0] !== undefined && { folder: folders[0] }),
    ...(tag !== undefined && { tag: tag.tag.slice(1) }),
  }
}

const isShortName = (name: string): boolean => name !== '' && name.length <= 30 && !/[`[\]{}"]/.test(name)

const notUnderstood = explainRequests(
  (guidance, names) => `${guidance.say('notUnderstood')}\n\n${exampleRequests(guidance, names)}`,
)

/** `/something` that no form reads. */
export const unknownName: RequestKind = ({ isCommand }) => (isCommand ? notUnderstood : undefined)

/** "delete all notes tagged x": the words after the verb are no name. */
export const changeOfMany: RequestKind = ({ text, language, isQuestion }) =>
  !isQuestion && new RegExp(`^(?:${language.command})`, 'iu').test(text) ? notUnderstood : undefined

const reading: readonly RequestKind[] = [
  listTags,
  notesWithTag,
  tasksDue,
  openTasks,
  countNotes,
  notesInFolder,
  backlinks,
  forwardLinks,
]

/**
 * A prompt file of the vault: a request that only reads is carried out, a question is answered. Anyone who shares the
 * vault could have written it, so it changes nothing.
 */
export const promptFile: RequestKind = (request) => {
  const { prompt } = request
  if (prompt === undefined) return undefined
  const asked: OfflineRequest = {
    ...request,
    text: prompt.text,
    language: languageOf(prompt.text),
    isQuestion: true,
    isCommand: false,
    mentioned: [],
    commands: new Set(),
  }
  delete asked.prompt
  const isOneSentence = prompt.text.length <= 300 && !prompt.text.includes('\n')
  if (isOneSentence) {
    for (const kind of reading) {
      const task = kind(asked)
      if (task !== undefined) return task
    }
    if (/[?？]\s*$/.test(prompt.text)) return askQuestion(asked)
  }
  const explained = (guidance: AnswerGuidance) => guidance.say('promptNeedsModel', { name: prompt.name })
  const ofTime = isOneSentence ? notesOfTime(asked) : undefined
  if (ofTime !== undefined) {
    const answer: OfflineTask['answer'] = (results, guidance) =>
      `${explained(guidance)}\n\n${ofTime.answer(results, guidance)}`
    return { ...ofTime, answer }
  }
  return explainRequests((guidance, names) =>
    [explained(guidance), guidance.say('worksWithout'), exampleRequests(guidance, names)].join('\n\n'),
  )
}
