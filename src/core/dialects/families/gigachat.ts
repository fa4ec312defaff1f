import { readCalls } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import type { ParseGenerator } from '../source.js'

const role = 'function call<|role_sep|>'
const messageEnd = '<|message_sep|>'

/**
 * GigaChat 3 writes a call as a message of its own role, `function call<|role_sep|>` and JSON; 3.1 has a token for it.
 */
export const gigachat = defineDialect({
  names: ['gigachat3', 'gigachat31'],
  markers: [{ text: messageEnd }, { text: '<|function_call|>' }, { text: role, place: 'reply-start' }],

  *read(block, marker) {
    const { source } = block
    if (marker.text !== messageEnd) return yield* readCall(block)
    const code = yield* source.skipSpace()
    if (yield* source.take(role)) return yield* readCall(block)
    // The end of the last message is not shown.
    return code === -1
  },
})

function* readCall(block: Block): ParseGenerator<boolean> {
  const { source } = block
  if ((yield* source.skipSpace()) !== 123) return false
  block.commit()
  yield* readCalls(block, { closers: [] })
  const mark = source.mark()
  yield* source.skipSpace()
  let isEnded = false
  for (const end of [messageEnd, '</s>']) isEnded ||= yield* source.take(end)
  if (isEnded) source.release()
  else source.rewind(mark)
  return true
}
