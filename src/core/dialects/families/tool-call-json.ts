import { readCalls } from '../calls.js'
import { defineDialect } from '../dialect.js'
import { skipDoubledOpener } from '../parameters.js'

const opener = '<tool_call>'
const closer = '</tool_call>'

/** `<tool_call>` with call objects inside: our own dialect, also written by Hermes, Qwen, Granite 4 and xLAM. */
export const toolCallJson = defineDialect({
  names: ['sentinel', 'hermes', 'xlam'],
  markers: [{ text: '<tool_call', tag: true }],

  *read(block) {
    const { source } = block
    yield* skipDoubledOpener(block, opener)
    if (yield* source.take('```')) {
      yield* source.take('json', true)
      yield* source.skipSpace()
    }
    if (!(yield* source.sees('{')) && !(yield* source.sees('['))) return false
    block.commit()
    yield* readCalls(block, { closers: [closer], openers: [opener] })
    return true
  },
})
