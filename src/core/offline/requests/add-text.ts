import { done, notDone } from '../answers/report.js'
import { noteName, unquoted } from './names.js'
import { aboutOneNote, whichNote } from './one-note.js'
import { phrases } from './phrases.js'
import { type Intent, resultOf } from './task.js'

const add = '(append|add|write|put|insert|log|note|jot)( down)?'
const day = String.raw`today|yesterday|tomorrow|\d{4}-\d\d-\d\d`
const daily = `(my |the )?((?<date>${day})'s (daily )?(note|page|entry|journal)|(daily )?(note|page) (of|for) (?<date2>${day})|daily (note|page)|journal)`

const task = '(a |an |the )?(new )?(task|todo|to-do)( (to|called|saying)|:)? '

const addingToDaily = phrases(
  `${add} ${task}(to|in|into|on) ${daily}:? {task}`,
  `${add} ${task}{task} (to|in|into|on) ${daily}`,
  `${add} to ${daily}:? {content}`,
  `${add} {content} (to|in|into|on) ${daily}`,
  `(create|make|start|open)( me)? (a |an )?(new )?${daily}( with|:) {content}`,
  `(create|make|start)( me)? (a |an )?(new )?${daily}`,
)

/** "add … to today's note". */
export const addToDailyNote: Intent = ({ text }) => {
  const said = addingToDaily(text)
  if (said === undefined) return undefined
  const date = said.date ?? said.date2
  const input = {
    ...(date !== undefined && !/^today$/i.test(date) && { date: date.toLowerCase() }),
    ...contentOf(said),
  }
  return {
    tools: ['create_daily_note'],
    writes: true,
    next: (results) => (resultOf(results, 'create_daily_note') ? [] : [{ name: 'create_daily_note', input }]),
    answer(results, words) {
      const result = resultOf(results, 'create_daily_note')!
      return result.isError ? notDone(result) : done(result, words)
    },
  }
}

/** What is to be written: as it was said, or as a task. */
function contentOf({ content, task }: Record<string, string>): { content?: string } {
  if (task !== undefined) return { content: `- [ ] ${unquoted(task)}\n` }
  return content === undefined ? {} : { content: `${unquoted(content)}\n` }
}

const adding = phrases(
  `(append|add) ${task}{task} to (the end of )?{note} under (the )?(heading |section )?{heading}`,
  `(append|add) ${task}{task} to (the end of )?{note}`,
  '(append|add) to (the end of )?{note} under (the )?(heading |section )?{heading}: {content}',
  '(append|add) to (the end of )?{note}: {content}',
  '(append|add) {content} to (the end of )?{note} under (the )?(heading |section )?{heading}',
  '(append|add) {content} to (the end of )?{note}',
)

/** "append … to A", "add … to A under Heading". */
export const addToNote: Intent = ({ text, currentNote }) => {
  const said = adding(text)
  if (said === undefined) return undefined
  const name = noteName(said.note, currentNote)
  if (name === undefined) return whichNote('append some text to "Name of the note"')
  const heading = said.heading === undefined ? undefined : noteName(said.heading)
  const input = { path: name, ...contentOf(said), ...(heading !== undefined && { heading }) }
  return aboutOneNote({ name, call: { name: 'append_note', input }, writes: true, answer: done })
}
