import { noteList } from '../answers/look-around.js'
import { recordsIn } from '../answers/result-data.js'
import { noteName } from './names.js'
import { phrases } from './phrases.js'
import { tagsIn } from './tag-note.js'
import { type Intent, resultOf } from './task.js'

const show = '((show|list|get|find|give) )?(me )?'
const notes = '(all )?(of )?(the |my |our )?(notes|pages|files|everything)'

const asksFolder = phrases(
  `${show}${notes} (that are |which are )?(in|under|inside|from|of) (the |my )?folder {folder}`,
  `${show}${notes} (that are |which are )?(in|under|inside|from|of) (the |my )?{folder} folder`,
  `(show|list|get|find|give) (me )?${notes} (in|under|inside) {folder}`,
  `(what|which) (notes|pages|files) (are|do (I|we) have) (there )?(in|under|inside) (the |my )?(folder )?{folder}`,
  "what('s| is) (there )?in (the |my )?folder {folder}",
  "what('s| is) (there )?in (the |my )?{folder} folder",
  '(list|show) (me )?(the |my )?folder {folder}',
)

/** "list the notes in Garden". */
export const notesInFolder: Intent = ({ text }) => {
  const folder = folderIn(asksFolder(text)?.folder)
  if (folder === undefined) return undefined
  return {
    tools: ['search_notes'],
    next: (results) =>
      resultOf(results, 'search_notes')
        ? []
        : [{ name: 'search_notes', input: { query: '', top_k: 50, filter: { folder } } }],
    answer(results) {
      const { text: found, isError } = resultOf(results, 'search_notes')!
      if (isError) return found
      const isCut = recordsIn(found).data.length === 50
      const heading = isCut ? `The first 50 notes in ${folder}:` : `Notes in ${folder}:`
      return noteList(heading, `There are no notes in a folder ${folder}.`, found)
    },
  }
}

const count = 'how many (notes|pages|files)'
const asksCount = phrases(
  `${count} (are|do (I|we) have) (there )?(tagged|with the tag|labell?ed)( with)? {tags}`,
  `${count} (are|have|carry) (tagged|the tag)( with)? {tags}`,
  `${count} (are|do (I|we) have) (there )?(in|under|inside) (the |my |this )?(vault|notebook)`,
  `${count} (are|do (I|we) have) (there )?(in|under|inside) (the |my )?(folder )?{folder}`,
  `${count} (are there|do (I|we) have|does (the|my|this) vault (have|hold|contain))`,
  `(count|number of) (all )?(of )?(the |my |our )?(notes|pages)( in (the |my |this )?vault)?`,
)

/** "how many notes are in Garden", "how many notes are tagged #x". */
export const countNotes: Intent = ({ text }) => {
  const said = asksCount(text)
  if (said === undefined) return undefined
  const tags = said.tags === undefined ? undefined : tagsIn(said.tags)
  if (said.tags !== undefined && tags === undefined) return undefined
  const folder = folderIn(said.folder)
  const call =
    tags === undefined
      ? { name: 'get_file_tree', input: { ...(folder && { folder }), depth: 0 } }
      : { name: 'search_by_tag', input: { tags, limit: 200 } }
  return {
    tools: [call.name],
    next: (results) => (resultOf(results, call.name) ? [] : [call]),
    answer(results) {
      const { text: found, isError } = resultOf(results, call.name)!
      if (isError) return found.replace(/\s*Leave folder out.*$/, '')
      if (tags === undefined) return `There ${numbered(notesIn(found))} in ${folder ?? 'the vault'}.`
      const total = /left out of ([\d,]+)/.exec(found)?.[1]
      const number = total === undefined ? recordsIn(found).data.length : Number(total.replaceAll(',', ''))
      return `There ${numbered(number)} tagged ${tags.map((tag) => `#${tag}`).join(', ')}.`
    },
  }
}

/** The first line of a tree counts all that is below it. */
const notesIn = (tree: string): number => Number(/[(\s](\d+) md\b/.exec(tree.split('\n')[0])?.[1] ?? 0)

const numbered = (count: number): string =>
  count === 1 ? 'is one note' : `are ${count === 0 ? 'no' : count.toLocaleString('en')} notes`

function folderIn(words: string | undefined): string | undefined {
  const name = words === undefined ? undefined : noteName(words)
  const folder = name?.replace(/^\/+|\/+$/g, '')
  return folder === '' ? undefined : folder
}
