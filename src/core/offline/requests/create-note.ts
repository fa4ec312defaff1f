import type { OfflineWords } from '../answers/offline-words.js'
import { done, notDone, notReached } from '../answers/report.js'
import { dataIn } from '../answers/result-data.js'
import type { Result } from '../prompt/index.js'
import { noteName, notePathFor, unquoted } from './names.js'
import { whichNote } from './one-note.js'
import { phrases } from './phrases.js'
import { type Intent, resultOf, saying, type Task } from './task.js'

const note = '(create|make|write|add|start)( me)? (a |an |the )?(new )?(note|page|file)'
const called = '(called|named|titled)'
const holding = '( (with|containing|saying|that says)( the)?( (text|content|words))?:?|:)'
const marked = `(?=["“„«‘'\`[])`

const creating = phrases(
  `${note} ${called} {note} in (the )?folder {folder}${holding} {content}`,
  `${note} ${called} {note} in (the )?folder {folder}`,
  `${note} ${called} {note} in {place}${holding} {content}`,
  `${note} ${called} {note}${holding} {content}`,
  `${note} ${marked}{note}${holding} {content}`,
  `${note} ${called} {note} in {place}`,
  `${note} ${called} {note}`,
  `${note} ${marked}{note}`,
  `new note( ${called})?:? {note}${holding} {content}`,
  `new note( ${called})?:? {note}`,
)
const composing = phrases(
  '(create|make|write|draft|compose)( me)? (a |an )?(new |short |long )?(note|page|summary|essay|article|draft) (about|on|of) {topic}',
)

/** "create a note called X with …". Never writes over a note that is there. */
export const createNote: Intent = ({ text }) => {
  const said = creating(text)
  if (said === undefined) return composing(text) && saying(cannotCompose)
  const name = noteName(said.note)
  if (name === undefined) return whichNote('create a note called "Name" with the text …')
  const folder = said.folder === undefined ? '' : `${noteName(said.folder)?.replace(/\/+$/, '')}/`
  const path = folder + notePathFor(name)
  if (said.place !== undefined) return inPlace(name, said.place, said.content)
  const title = name.slice(name.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  return creation(path, contentFor(title, said.content))
}

const contentFor = (title: string, said: string | undefined): string =>
  said === undefined ? `# ${title}\n` : `${unquoted(said)}\n`

/** "Shopping in Inbox" lies in the folder Inbox; "Lost in Translation" is a name, unless there is such a folder. */
function inPlace(name: string, place: string, said: string | undefined): Task {
  const folder = noteName(place)?.replace(/\/+$/, '') ?? place
  const whole = `${name} in ${folder}`
  const inFolder = creation(`${folder}/${notePathFor(name)}`, contentFor(name, said))
  if (/^inbox$/i.test(folder)) return inFolder
  const named = creation(notePathFor(whole), contentFor(whole, said))
  const meant = (results: readonly Result[]) => (resultOf(results, 'get_file_tree')?.isError ? named : inFolder)
  return {
    tools: ['get_file_tree', ...inFolder.tools],
    writes: true,
    next: (results) =>
      resultOf(results, 'get_file_tree') === undefined
        ? [{ name: 'get_file_tree', input: { folder, depth: 0 } }]
        : meant(results).next(results),
    answer: (results, words) =>
      resultOf(results, 'get_note_metadata') === undefined ? notReached(words) : meant(results).answer(results, words),
  }
}

function creation(path: string, content: string): Task {
  return {
    tools: ['get_note_metadata', 'write_note'],
    writes: true,
    next(results) {
      if (resultOf(results, 'write_note')) return []
      const found = resultOf(results, 'get_note_metadata')
      if (found === undefined) return [{ name: 'get_note_metadata', input: { path } }]
      const isFree = found.isError ? /^Note not found/.test(found.text) : !isSame(pathIn(found.text), path)
      return isFree ? [{ name: 'write_note', input: { path, content } }] : []
    },
    answer(results, words) {
      const written = resultOf(results, 'write_note')
      if (written !== undefined) return written.isError ? notDone(written) : done(written, words)
      const found = resultOf(results, 'get_note_metadata')!
      if (found.isError) return /^Note not found/.test(found.text) ? notReached(words) : notDone(found)
      if (!isSame(pathIn(found.text), path)) return notReached(words)
      return `That was not done: ${path} exists already. Add to it with \`append … to "${path}"\`, or choose another name.`
    },
  }
}

const pathIn = (text: string): unknown => dataIn<{ path?: unknown }>(text).data?.path

const isSame = (found: unknown, wanted: string): boolean =>
  typeof found === 'string' && found.normalize().toLowerCase() === wanted.normalize().toLowerCase()

const cannotCompose = ({ model }: OfflineWords): string =>
  `Writing a text of its own takes a language model, and none is configured. ${model} I can write down what you say: \`create a note called "Name" with …\`.`
