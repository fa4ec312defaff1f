import { defineDialect } from '../dialect.js'
import { readMarkedCalls } from '../values/read-calls.js'

const frames = ['RESPONSE', 'TEXT'].flatMap((name) => [`<|START_${name}|>`, `<|END_${name}|>`])

/** Command R7B, A and later: an array between tokens. The frame around visible text is not shown, nor are the sources cited in it. */
export const cohereAction = defineDialect({
  names: ['cohere_action', 'cohere_command'],
  markers: [
    { text: '<|START_ACTION|>' },
    ...frames.map((text) => ({ text })),
    // `<co>some words</co: 0:[1,2],1:[0]>`
    { text: '<co>' },
    { text: '</co:' },
  ],

  *read(block, { text }) {
    const { source } = block
    if (text === '<|START_ACTION|>') return yield* readMarkedCalls(block, ['<|END_ACTION|>'])
    if (frames.includes(text)) {
      if (text.startsWith('<|START')) block.frames.add('cohere')
      else block.frames.delete('cohere')
      return true
    }
    if (!block.frames.has('cohere')) return false
    if (text === '<co>') return true
    for (let length = 0; length < 200 && (yield* source.fill()); length++) {
      const character = source.window[source.at++]
      if (character === '>') return true
      if (!/[\d\s:,[\]]/.test(character)) return false
    }
    return false
  },
})
