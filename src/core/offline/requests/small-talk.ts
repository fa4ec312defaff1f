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
    ({ undo, history }) =>
      `I cannot undo by myself, but you can: ${undo} takes back the last change, and ${history} shows what was changed.`,
  )

const isThanks = phrases(
  '(many )?(thanks|thank you|thank u|thx|ty|cheers|danke( schön)?|merci|gracias|grazie|obrigad[oa]|спасибо|谢谢|ありがとう)( (a lot|so much|very much|you|notewright|again))?',
  '(great|perfect|cool|nice|good|fine|awesome|got it|well done|ok|okay|alright|bye|goodbye|good (night|bye)|see you)( (job|work|answer|then))?',
)

/** Nobody looks for a note with these words. */
export const thanks: Intent = ({ text }) => (isThanks(text) ? saying('You are welcome.') : undefined)

const isHello = phrases(
  '(hi|hello|hey|good (morning|afternoon|evening))( (there|notewright))?',
  'help( me)?',
  'what can (you|I) do( here)?',
  '(who|what) are you',
  'how (do you|does this) work',
)

export const hello: Intent = ({ text }) => (text === '' || isHello(text) ? saying(helpText) : undefined)
