import { openTaskList } from '../answers/open-task-list.js'
import { recordsIn, textOf } from '../answers/result-data.js'
import { noteName } from './names.js'
import { phrases } from './phrases.js'
import { type Call, type Intent, resultOf, type Task } from './task.js'

const show = '((show|list|get|find|give) )?(me )?(all )?(of )?(the |my |our )?'
const tasks = '(open |unfinished |incomplete |outstanding |pending |undone |remaining )?(tasks|todos|to-dos)( list)?'
const open = '(open|unfinished|left|undone|to do|pending|not done|outstanding)'

const asks = phrases(
  `${show}${tasks}( that are)?( ${open})? (in|of|from) {note}`,
  `${show}(open |unfinished |incomplete |outstanding |pending |undone |remaining )(tasks|todos|to-dos)`,
  `((show|list|get|find|give) )(me )?(all )?(of )?(the |my |our )?(tasks|todos|to-dos)( that are)?( ${open})?`,
  `(what|which) (are )?(the |my |our )?${tasks} (are |is )?(still |yet )?(${open}|do (I|we) (still )?have( left)?|are there|(I|we) have)`,
  '(what|which) are (the |my |our )?(open|unfinished|pending|outstanding) (tasks|todos|to-dos)',
  'what do (I|we) (still )?(have|need) to do',
  'what is (left|still) (to do|to be done)',
  'how many (open |unfinished |pending |undone )?(tasks|todos|to-dos) (do (I|we) have|are (there|open|left))( open| left)?',
  '(my |the )?(open tasks|todos|to-do list|todo list|open todos)',
)

/** An unticked box with words behind it. */
const box = '[ ] '
const mostNotes = 50
const mostRead = 8

/** "open tasks", "tasks in Garden". */
export const openTasks: Intent = ({ text, currentNote }) => {
  const said = asks(text)
  if (said === undefined) return undefined
  const name = said.note === undefined ? undefined : noteName(said.note, currentNote)
  return name === undefined ? tasksOfVault : tasksOf(name)
}

const tasksOfVault: Task = {
  tools: ['vault_search', 'read_note'],
  next(results) {
    const found = resultOf(results, 'vault_search')
    if (found === undefined) return [{ name: 'vault_search', input: { query: box, limit: mostNotes } }]
    if (found.isError || results.some(({ name }) => name === 'read_note')) return []
    const paths = recordsIn(found.text).data.map(({ path }) => textOf(path))
    return paths.slice(0, mostRead).map((path) => read(path))
  },
  answer(results) {
    const found = resultOf(results, 'vault_search')
    return found?.isError ? found.text : openTaskList(results)
  },
}

function tasksOf(name: string): Task {
  return {
    tools: ['read_note'],
    next: (results) => (results.length === 0 ? [read(name)] : []),
    answer(results) {
      const result = resultOf(results, 'read_note')!
      return result.isError ? result.text : openTaskList(results)
    },
  }
}

const read = (path: string): Call => ({ name: 'read_note', input: { path } })
