import { defineDialect } from '../dialect.js'
import { readCalls } from '../values/read-calls.js'

/** `<|action_start|><|plugin|>{"name", "parameters"}<|action_end|>`. Code for an interpreter is no call of a tool. */
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
