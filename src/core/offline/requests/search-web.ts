import { type Intent, resultOf, saying } from './task.js'

/** "@web …". */
export const searchWeb: Intent = ({ text, commands }) => {
  if (!commands.has('web')) return undefined
  if (text === '') return saying('Say what to look for after `@web`.')
  return {
    tools: ['web_search'],
    next: (results) => (resultOf(results, 'web_search') ? [] : [{ name: 'web_search', input: { query: text } }]),
    answer(results) {
      const { text: found, isError } = resultOf(results, 'web_search')!
      // What looks like a link to a note on somebody's page is none.
      return isError ? found : `From the web:\n\n${found.replace(/\[\[/g, '[ [')}`
    },
  }
}
