import { readMarkedCalls } from '../calls.js'
import { defineDialect } from '../dialect.js'

const frames = ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>']

/**
 * Command R7B, A and later: an array between tokens. The frame around visible text and the sources cited in it are not
 * shown.
 */
export const cohereAction = defineDialect({
  names: ['cohere_action', 'cohere_command'],
  markers: [
    { text: '<|START_ACTION|>' },
    { text: '<|START_RESPONSE|>' },
    { text: '<|END_RESPONSE|>' },
    { text: '<|START_TEXT|>' },
    { text: '<|END_TEXT|>' },
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
      const character = source.window.charAt(source.at++)
      if (character === '>') return true
      if (!/[\d\s:,[\]]/.test(character)) return false
    }
    return false
  },
})
