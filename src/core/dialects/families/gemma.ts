import { callTicket } from '../call-ticket.js'
import { defineDialect } from '../dialect.js'
import { endBlock, readArguments } from '../values/read-calls.js'

const closer = '<tool_call|>'

/** `<|tool_call>call:NAME{key:value}<tool_call|>` with strings between `<|"|>`. */
export const gemma4 = defineDialect({
  names: ['gemma4'],
  markers: [{ text: '<|tool_call>' }],

  *read(block) {
    const { source } = block
    yield* source.skipSpace()
    if (!(yield* source.take('call:'))) return false
    let name = ''
    while (name.length < 200 && (yield* source.fill()) && /[\w.:/ -]/.test(source.window[source.at])) {
      name += source.window[source.at++]
    }
    if (!(yield* source.sees('{'))) return false
    block.commit()
    const ticket = callTicket(block)
    ticket.named(name)
    const end = { closers: [closer], openers: ['<|tool_call>'] }
    yield* endBlock(block, end, yield* readArguments(block, ticket, [closer, '<|tool_call>'], 'gemma'))
    return true
  },
})
