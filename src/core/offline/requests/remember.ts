import { done, notDone } from '../answers/report.js'
import { type Intent, resultOf, saying } from './task.js'

/** The same note that `@memory` writes to in plan mode. */
const memoryNote = 'Notewright memory.md'

/** "@memory I garden in zone 7". The note is made when it is not there. */
export const remember: Intent = ({ text, commands }) => {
  if (!commands.has('memory')) return undefined
  if (text === '') return saying('Say what to remember after `@memory`.')
  const input = { path: memoryNote, content: `- ${text}\n` }
  return {
    tools: ['append_note', 'write_note'],
    writes: true,
    next(results) {
      const added = resultOf(results, 'append_note')
      if (added === undefined) return [{ name: 'append_note', input }]
      const isMissing = added.isError && /^Note not found/.test(added.text)
      return isMissing && resultOf(results, 'write_note') === undefined ? [{ name: 'write_note', input }] : []
    },
    answer(results) {
      const result = resultOf(results, 'write_note') ?? resultOf(results, 'append_note')!
      return result.isError ? notDone(result) : done(result)
    },
  }
}
