import { readCalls } from '../calls.js'
import { defineDialect } from '../dialect.js'

/** `<|action_start|><|plugin|>{"name", "parameters"}<|action_end|>`. Code for an interpreter is no tool call. */
export const internlm = defineDialect({
  names: ['internlm2'],
  markers: [{ text: '<|action_start|>' }],

  *read(block) {
    const { source } = block
    yield* source.skipSpace()
    if (!(yield* source.take('<|plugin|>')) || (yield* source.skipSpace()) !== 123) return false
    block.commit()
    yield* readCalls(block, { closers: ['<|action_end|>'], openers: ['<|action_start|>'] })
    return true
  },
})
