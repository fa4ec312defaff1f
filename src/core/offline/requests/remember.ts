import { done, notDone } from '../answers/report.js'
import { type Intent, resultOf, saying } from './task.js'

/** "@memory I garden in zone 7". */
export const remember: Intent = ({ text, commands }) => {
  if (!commands.has('memory')) return undefined
  if (text === '') return saying('Say what to remember after `@memory`.')
  return {
    tools: ['remember'],
    next: (results) => (resultOf(results, 'remember') ? [] : [{ name: 'remember', input: { text } }]),
    answer(results, words) {
      const result = resultOf(results, 'remember')!
      return result.isError ? notDone(result) : done(result, words)
    },
  }
}
