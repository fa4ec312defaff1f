import { done } from '../answers/report.js'
import { isMarked, noteName, unquoted } from './names.js'
import { aboutOneNote, holdsSecondRequest, oneAtATime, whichNote } from './one-note.js'
import { phrases } from './phrases.js'
import { type Intent, saying } from './task.js'

const setting = phrases(
  '(set|change|update) (the )?(property )?{property} (of|in|on|for) {note} to {value}',
  "(set|change|update) {note}'s {property} to {value}",
)
const clearing = phrases('(remove|delete|clear|unset) (the )?property {property} (of|from|in) {note}')

/** "set status of A to done". */
export const setProperty: Intent = ({ text, currentNote }) => {
  const said = setting(text) ?? clearing(text)
  if (said === undefined) return undefined
  const property = unquoted(said.property).replace(/^(?:the|property)\s+/i, '')
  if (!/^[\p{L}_][\p{L}\p{N}_ -]{0,60}$/u.test(property)) return undefined
  const name = noteName(said.note, currentNote)
  if (name === undefined) return whichNote('set status of "Name of the note" to done')
  const { value = '' } = said
  if (!isMarked(value) && holdsSecondRequest(value)) return oneAtATime
  if (!isMarked(said.note) && !isMarked(value) && /\sto\s/i.test(value)) {
    return saying(
      'I cannot tell where the name of the note ends. Put it in quotation marks: `set status of "A" to done`.',
    )
  }
  const updates = { [property]: said.value === undefined ? null : asProperty(value) }
  const call = { name: 'update_frontmatter', input: { path: name, updates } }
  return aboutOneNote({ name, call, writes: true, answer: done })
}

/** As YAML would read it when it stands bare; in quotation marks it is text. */
function asProperty(words: string): unknown {
  const text = unquoted(words)
  if (text !== words.trim()) return text
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text) ? Number(text) : text
}
