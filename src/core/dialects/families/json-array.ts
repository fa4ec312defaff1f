import { type Block, defineDialect, type Marker } from '../dialect.js'
import type { Reading } from '../source.js'
import { readCallArray, readCalls } from '../values/read-calls.js'

/** Call objects, usually in an array, behind a marker or between tags. */
export const granite3 = defineDialect({
  names: ['granite3'],
  markers: [{ text: '<|tool_call|>' }],
  read: (block) => readMarkedCalls(block, []),
})

export const jamba = defineDialect({
  names: ['jamba'],
  markers: [{ text: '<tool_calls', tag: true }],
  read: (block) => readMarkedCalls(block, ['</tool_calls>']),
})

export const nemotron = defineDialect({
  names: ['nemotron_v2_toolcall'],
  markers: [{ text: '<TOOLCALL', tag: true }],
  read: (block) => readMarkedCalls(block, ['</TOOLCALL>']),
})

export const cohereAction = defineDialect({
  names: ['cohere_action'],
  markers: [
    { text: '<|START_ACTION|>' },
    ...['START_RESPONSE', 'END_RESPONSE', 'START_TEXT', 'END_TEXT'].map((name) => ({ text: `<|${name}|>` })),
  ],
  *read(block: Block, marker: Marker): Reading<boolean> {
    if (marker.text === '<|START_ACTION|>') return yield* readMarkedCalls(block, ['<|END_ACTION|>'])
    // The frame around visible text is not shown.
    block.commit()
    return true
  },
})

/** `functools[{…}]`; the Python module of that name is not meant. */
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

function* readMarkedCalls(block: Block, closers: string[]): Reading<boolean> {
  const { source } = block
  yield* source.skipSpace()
  if (!(yield* source.sees('[')) && !(yield* source.sees('{'))) return false
  block.commit()
  yield* readCalls(block, { closers })
  return true
}
