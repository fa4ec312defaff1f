import { backlinkList, forwardLinkList } from '../answers/link-lists.js'
import { noteName } from './names.js'
import { aboutOneNote } from './one-note.js'
import { phrases } from './phrases.js'
import { type Intent, saying, type Task } from './task.js'

const show = '((show|list|get|find|give) )?(me )?(all )?(the )?'

const asksBack = phrases(
  '(what|who|(what|which) (notes|pages|files)) (all )?(links?|points?|refers?|leads?) (back )?to {note}',
  `${show}(backlinks|back links|incoming links) (of|to|for|from) {note}`,
  'what are the (backlinks|back links|incoming links) (of|to|for) {note}',
)
const asksForward = phrases(
  '(what|where|(what|which) (notes|pages)) does {note} (link|point|refer|lead)( to)?',
  `${show}((forward|outgoing|outbound) )?links (of|in|from|on) {note}`,
  'what are the ((forward|outgoing) )?links (of|in|from) {note}',
)

/** "what links to A". */
export const backlinks: Intent = ({ text, currentNote }) =>
  about('list_backlinks', asksBack(text), currentNote, backlinkList)

/** "what does A link to", "links of A". */
export const forwardLinks: Intent = ({ text, currentNote }) =>
  about('list_forward_links', asksForward(text), currentNote, forwardLinkList)

function about(
  tool: string,
  said: Record<string, string> | undefined,
  currentNote: string | undefined,
  list: (name: string, text: string) => string,
): Task | undefined {
  if (said === undefined) return undefined
  const name = noteName(said.note, currentNote)
  if (name === undefined) return saying('I cannot tell which note you mean. Name it: `what links to "Name"`.')
  return aboutOneNote({
    name,
    call: { name: tool, input: { path: name } },
    answer: ({ text }) => list(name, text),
  })
}
