import { helpText } from '../answers/help-text.js'
import { phrases } from './phrases.js'
import { type Intent, saying } from './task.js'

const isUndo = phrases(
  '(undo|revert|take back|roll back)( (that|this|it|all|everything|(the |my |your )?(last )?(change|changes|edit|rename|move)))?',
  'take (that|this|it) back',
)

/** Undoing is not a tool: it belongs to the person, not to a model. */
export const undo: Intent = ({ text }) =>
  isUndo(text) &&
  saying(
    'I cannot undo by myself, but you can: type `notewright undo` (or `/undo` in the chat) to take back the last change. `notewright history` shows what was changed.',
  )

const isHello = phrases(
  '(hi|hello|hey|good (morning|afternoon|evening))( (there|notewright))?',
  'help( me)?',
  'what can (you|I) do( here)?',
  '(who|what) are you',
  'how (do you|does this) work',
)

export const hello: Intent = ({ text }) => (text === '' || isHello(text) ? saying(helpText) : undefined)
