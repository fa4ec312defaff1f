import { done, notDone, notReached } from '../answers/report.js'
import { dataIn } from '../answers/result-data.js'
import { isMarked, noteName, shown } from './names.js'
import { aboutOneNote, failed, holdsSecondRequest, nearNames, oneAtATime, whichNote } from './one-note.js'
import { phrases } from './phrases.js'
import { type Call, type Intent, resultOf, saying, type Task } from './task.js'

const renaming = phrases('rename {note} (to|as|into) {target}')
const moving = phrases(
  'move {note} (to|into|in) (the )?folder {folder}',
  'move {note} (to|into|in) (the )?{folder} folder',
  'move {note} (to|into) {target}',
)

/** "rename A to B" stays in the folder of A; "move A to B" goes into the folder B. */
export const renameNote: Intent = ({ text, currentNote }) => {
  const said = renaming(text) ?? moving(text)
  if (said === undefined) return undefined
  const words = said.target ?? said.folder
  if (!isMarked(words) && holdsSecondRequest(words)) return oneAtATime
  if (!isMarked(said.note) && !isMarked(words) && /\s(?:to|into)\s/i.test(words)) return unclear(text)
  const name = noteName(said.note, currentNote)
  const target = noteName(words)
  if (name === undefined || target === undefined) return whichNote('rename "Old name" to "New name"')
  const isMove = /^\s*move\b/i.test(text)
  if (said.folder !== undefined) return direct(name, `${target.replace(/\/+$/, '')}/`)
  if (isMove) return direct(name, /[/]|\.md$/i.test(target) ? target : `${target}/`)
  return target.includes('/') ? direct(name, target) : inItsFolder(name, target)
}

const direct = (name: string, target: string): Task =>
  aboutOneNote({ name, call: rename(name, target), writes: true, answer: done })

/** A name alone says nothing about the folder, so the note is looked up first. */
function inItsFolder(name: string, target: string): Task {
  return {
    tools: ['get_note_metadata', 'rename_note'],
    writes: true,
    next(results) {
      if (resultOf(results, 'rename_note')) return []
      const found = resultOf(results, 'get_note_metadata')
      if (found === undefined) return [{ name: 'get_note_metadata', input: { path: name } }]
      if (found.isError) return nearNames(found, name)
      const path = pathIn(found.text)
      return path === undefined ? [] : [rename(path, path.slice(0, path.lastIndexOf('/') + 1) + target)]
    },
    answer(results, words) {
      const renamed = resultOf(results, 'rename_note')
      if (renamed !== undefined) return renamed.isError ? notDone(renamed) : done(renamed, words)
      const found = resultOf(results, 'get_note_metadata')
      return found?.isError ? failed(found, results, true) : notReached(words)
    },
  }
}

const rename = (path: string, target: string): Call => ({ name: 'rename_note', input: { path, new_path: target } })

function pathIn(text: string): string | undefined {
  const { path } = dataIn<{ path?: unknown }>(text).data ?? {}
  return typeof path === 'string' ? path : undefined
}

const unclear = (text: string): Task =>
  saying(
    `I cannot tell where one name ends and the other begins in ${shown(text)}. Put the names in quotation marks: \`rename "A" to "B"\`.`,
  )
