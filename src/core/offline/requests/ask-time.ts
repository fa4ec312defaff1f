import { phrases } from './phrases.js'
import { type Intent, resultOf } from './task.js'

const asking = phrases(
  '(what|which) time is it( (right )?now)?( in {zone})?',
  "what('s| is) the (current )?time( (right )?now)?( in {zone})?",
  '(the )?current time( in {zone})?',
  '(what|which) (day|date) is (it|today)( today)?',
  "what('s| is) (the date|the day|today's date|the date today)( today)?",
  "today's date",
)

/** "what time is it". */
export const askTime: Intent = ({ text }) => {
  const said = asking(text)
  if (said === undefined) return undefined
  const input = said.zone === undefined ? {} : { timezone: said.zone.trim() }
  return {
    tools: ['get_current_time'],
    next: (results) => (resultOf(results, 'get_current_time') ? [] : [{ name: 'get_current_time', input }]),
    answer(results) {
      const { text: told, isError } = resultOf(results, 'get_current_time')!
      return isError ? told : told.split('\n')[0]
    },
  }
}
