import { done } from '../answers/report.js'
import { isMarked, noteName } from './names.js'
import { aboutOneNote, holdsSecondRequest, oneAtATime, whichNote } from './one-note.js'
import { phrases } from './phrases.js'
import { type Intent, saying } from './task.js'

const deleting = phrases(
  '(delete|trash) {note}',
  'remove (?=(the |my |our )?(note|file|page) ){note}',
  'throw away {note}',
)

/** "delete A". A part of a note is not a note. */
export const deleteNote: Intent = ({ text, currentNote }) => {
  const said = deleting(text)
  if (said === undefined) return undefined
  if (!isMarked(said.note) && holdsSecondRequest(said.note)) return oneAtATime
  if (!isMarked(said.note) && /\s(?:from|in|of)\s/i.test(said.note)) {
    return saying('I can delete whole notes only. Is this the name of one, put it in quotation marks: `delete "Name"`.')
  }
  const name = noteName(said.note, currentNote)
  if (name === undefined) return whichNote('delete "Name of the note"')
  return aboutOneNote({ name, call: { name: 'delete_note', input: { path: name } }, writes: true, answer: done })
}
