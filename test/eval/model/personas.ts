import { bareJson, fenced, properly, pythonic, sentinel } from './forms.js'
import type { Call, Reply } from './prompt.js'
import type { Seen } from './seen.js'

/** The next move of a competent model. */
export type Move = { call: Call } | { say: string }

/** A way of being sloppy: how a move comes out. */
export interface Persona {
  name: string
  about: string
  speak(move: Move, seen: Seen): Reply
}

/** Answers properly except for its calls. */
function callsBy(name: string, about: string, speak: (call: Call, seen: Seen) => Reply): Persona {
  return { name, about, speak: (move, seen) => ('say' in move ? { text: move.say } : speak(move.call, seen)) }
}

/** Writes its calls in an invalid form until it is corrected or sees an earlier valid call of its own. */
function writesAs(name: string, about: string, write: (call: Call) => string): Persona {
  return callsBy(name, about, (call, seen) => {
    const knowsBetter = seen.justTold !== '' || (seen.form === 'native' && seen.exchanges.length > 0)
    return knowsBetter ? properly(call, seen.form) : { text: write(call) }
  })
}

export const personas: readonly Persona[] = [
  callsBy('tidy', 'does as it is told', (call, { form }) => properly(call, form)),
  writesAs('fences', 'puts its calls into a code fence', (call) => `Sure, let me look:\n\n${fenced(call)}`),
  writesAs('bare-json', 'writes its calls as bare JSON', bareJson),
  writesAs('python', 'writes its calls as Python', pythonic),
  writesAs('unclosed', 'forgets the end of its calls', (call) => sentinel(call).replace('\n</tool_call>', '')),
  callsBy('announces', 'says what it will do, and does not', (call, { form, said, exchanges, justTold }) => {
    const isFirst = exchanges.length === 0 && said.length === 0 && justTold === ''
    return isFirst ? { text: 'I will search your notes now.' } : properly(call, form)
  }),
  callsBy('wrong-types', 'writes "5" for 5, text for lists and objects', (call, { form, exchanges }) => {
    const isCorrected = exchanges.some(({ name, isError }) => isError && name === call.name)
    return properly(isCorrected ? call : { ...call, input: mistyped(call.input) }, form)
  }),
  callsBy('invents', 'calls tools that there are not', (call, { form, exchanges }) => {
    const isCorrected = exchanges.some(({ isError, text }) => isError && /unknown tool/i.test(text))
    return properly(isCorrected ? call : { ...call, name: invented[call.name] ?? `do_${call.name}` }, form)
  }),
  {
    name: 'repeats',
    about: 'makes every call twice, says everything twice',
    speak(move, { exchanges, form, isClosed }) {
      const last = exchanges.at(-1)
      const isSame = ({ name, input }: Call) =>
        name === last?.name && JSON.stringify(input) === JSON.stringify(last.input)
      if (last && !last.isError && !isClosed && exchanges.filter(isSame).length === 1) {
        return properly({ name: last.name, input: last.input }, form)
      }
      return 'say' in move ? { text: `${move.say}\n\n${move.say}` } : properly(move.call, form)
    },
  },
  {
    name: 'uncited',
    about: 'forgets to name its sources',
    speak: (move, { form }) =>
      'say' in move ? { text: move.say.replace(/ ?\[\[[^\]]*\]\]/g, '') } : properly(move.call, form),
  },
  callsBy('thinks', 'thinks aloud, also about calls it does not make', (call, { form }) => {
    const { text, calls } = properly(call, form)
    return {
      text: `<think>\nI could call ${sentinel({ ...call, name: 'delete_note' })}\nNo, better not.\n</think>\n\n${text}`,
      calls,
    }
  }),
  callsBy('talks', 'answers around its calls before it has seen anything', (call, { form }) => {
    const { text = '', calls } = properly(call, form, leadIn)
    return { text: calls ? text : `${text}\n\n${madeUp}`, calls }
  }),
]

const leadIn =
  'Great question! I would be happy to help you with that. Based on what I know about notes like these, the answer is most likely somewhere in the garden folder, and I believe that it has to do with the weather. Let me verify it.'
const madeUp =
  'The result shows that everything is in order, so the answer is 42. Let me know if you need anything else!'

function mistyped(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, asText(value)]))
}

function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object' || value === null) return `${value}`
  const members = Object.entries(value)
  // An object of lists comes as an object of texts, any other as its JSON.
  const isOfLists = members.every(([, member]) => Array.isArray(member))
  return isOfLists ? Object.fromEntries(members.map(([key, member]) => [key, asText(member)])) : JSON.stringify(value)
}

const invented: Record<string, string> = {
  search_notes: 'find_documents',
  read_note: 'open_document',
  edit_note: 'modify_text',
  append_note: 'insert_paragraph',
  rename_note: 'mv',
  create_daily_note: 'journal',
}
