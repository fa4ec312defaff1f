import { readCallArray, readMarkedCalls } from '../calls.js'
import { defineDialect } from '../dialect.js'

/** Call objects, usually in an array, after a marker or between tags. */
export const granite3 = defineDialect({
  names: ['granite3'],
  markers: [{ text: '<|tool_call|>' }],
  read: (block) => readMarkedCalls(block, []),
})

/** Granite's 20b model for function calling; other models close the tag. */
export const granite20b = defineDialect({
  names: ['granite20b'],
  markers: [{ text: '<function_call', tag: true }],
  *read(block) {
    const { source } = block
    if (!(yield* readMarkedCalls(block, []))) return false
    const mark = source.mark()
    yield* source.skipSpace()
    if (yield* source.take('</function_call>', true)) source.release()
    else source.rewind(mark)
    return true
  },
})

export const jamba = defineDialect({
  names: ['jamba', 'hunyuan_a13b'],
  markers: [{ text: '<tool_calls', tag: true }],
  read: (block) => readMarkedCalls(block, ['</tool_calls>']),
})

export const nemotron = defineDialect({
  names: ['nemotron_v2_toolcall'],
  markers: [{ text: '<TOOLCALL', tag: true }],
  read: (block) => readMarkedCalls(block, ['</TOOLCALL>']),
})

/** `functools[{…}]`; the Python module of that name does not match. */
export const phi4mini = defineDialect({
  names: ['phi4mini'],
  markers: [{ text: 'functools', word: true }],
  *read(block) {
    const { source } = block
    if (!(yield* source.take('['))) return false
    if ((yield* source.skipSpace()) !== 123) return false
    block.commit()
    yield* readCallArray(block, [])
    return true
  },
})
