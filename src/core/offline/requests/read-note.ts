import { noteText } from '../answers/note-text.js'
import { isMarked, noteName, unquoted } from './names.js'
import { aboutOneNote, whichNote } from './one-note.js'
import { phrases } from './phrases.js'
import type { Intent } from './task.js'

const reading = phrases('(read|open|view|cat)( me)? {note}')
// "show me how to prune" is a question: what these words ask for must be named as a note.
const showing = phrases('(show|display|print|summarize|summarise|sum up|give)( me)? {note}')

/** "show [[A]]", "read A". */
export const readNote: Intent = ({ text, currentNote, mentioned }) => {
  const named = reading(text) ?? explicit(showing(text))
  const only = mentioned.length === 1 && text === `[[${mentioned[0]}]]` ? { note: text } : undefined
  const said = named ?? only
  if (said === undefined) return undefined
  const name = noteName(said.note, currentNote)
  if (name === undefined) return whichNote('show "Name of the note"')
  // The tool understands a link with its heading or block.
  const link = /\[\[[^\]\n]*#[^\]\n]*\]\]/.exec(said.note)?.[0]
  const path = link ?? (/#/.test(name) && !isMarked(said.note) ? `[[${name}]]` : name)
  return aboutOneNote({ name, call: { name: 'read_note', input: { path } }, answer: noteText })
}

function explicit(said: Record<string, string> | undefined): Record<string, string> | undefined {
  if (said === undefined) return undefined
  const words = said.note.trim()
  const isNamed =
    isMarked(words) ||
    /^(?:the|my|our)\s+(?:note|file|page)\s+\S|^note\s+["“„«‘'`[]|^(?:the|my|our)\s+.+\s(?:note|page)$/i.test(words) ||
    /^(?:this|the (?:open|current)) note$/i.test(words) ||
    /^[^\s/][^/]*\/\S/.test(unquoted(words))
  return isNamed ? said : undefined
}
