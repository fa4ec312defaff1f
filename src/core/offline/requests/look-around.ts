import { randomNoteText, taggedNotes, tagList } from '../answers/look-around.js'
import { noteName } from './names.js'
import { phrases } from './phrases.js'
import { tagsIn } from './tag-note.js'
import { type Intent, resultOf, type Task } from './task.js'

const show = '((show|list|get|find|give|pick|open|read) )?(me )?'

const asksRandom = phrases(
  `${show}(a |any |some )?random note( ((with|having) (the )?tag|tagged)( with)? {tags})?`,
  `${show}(a |any |some )?random note (from|in) (the )?(folder )?{folder}`,
  'surprise me',
)

export const randomNote: Intent = ({ text }) => {
  const said = asksRandom(text)
  if (said === undefined) return undefined
  const [tag] = tagsIn(said.tags ?? '') ?? []
  const folder = said.folder === undefined ? undefined : noteName(said.folder.replace(/\s+folder$/i, ''))
  return lookUp('get_random_note', { ...(tag && { tag }), ...(folder && { folder }) }, randomNoteText)
}

const asksTags = phrases(
  '(list|show|get|give)( me)?( all)?( (the|my|our))? tags',
  '(what|which) tags (are there|exist|are used|are in use|do (I|we) (have|use)|does the vault have)',
  'what are (all )?(the|my|our) tags',
  '(all )?tags',
)

export const listTags: Intent = ({ text }) => (asksTags(text) ? lookUp('get_tag_list', {}, tagList) : undefined)

const notes = '(all )?(the |my |our )?(notes?|pages?|everything|files?)'
const asksTagged = phrases(
  `${show}${notes} ((that|which) (is|are) )?(tagged|labell?ed|marked) (with |as )?(the )?(tags? )?{tags}`,
  `${show}${notes} (with|having|((that|which) )?(has|have|carry)) (the )?tags? {tags}`,
  `${show}${notes} (with )?(?=#){tags}`,
  `(what|which) (notes|pages) (are (tagged|labell?ed|marked)|have|carry) (with |as )?(the )?(tags? )?{tags}`,
  '(?=#){tags}',
)

/** "notes tagged #x". Words that cannot be tags make it another kind of request. */
export const notesWithTag: Intent = ({ text }) => {
  const said = asksTagged(text)
  const tags = said && tagsIn(said.tags)
  if (said === undefined || tags === undefined) return undefined
  const match = /\sor\s/i.test(said.tags) ? { match: 'any' } : {}
  return lookUp('search_by_tag', { tags, ...match }, (text) => taggedNotes(tags, text))
}

function lookUp(tool: string, input: Record<string, unknown>, answer: (text: string) => string): Task {
  return {
    tools: [tool],
    next: (results) => (resultOf(results, tool) ? [] : [{ name: tool, input }]),
    answer(results) {
      const { text, isError } = resultOf(results, tool)!
      return isError ? text : answer(text)
    },
  }
}
