import { callBuilder, endBlock, readArguments } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import { readReasoning } from '../plain-text.js'
import type { ParseGenerator } from '../source.js'

const ends = ['<|end|>', '<|call|>', '<|return|>']
const starts = ['<|start|>', '<|channel|>']
const headLimit = 400

/**
 * Messages of gpt-oss. A recipient makes a message a call; analysis is reasoning; other messages are shown without
 * their frame.
 */
export const harmony = defineDialect({
  names: ['harmony'],
  isFrame: true,
  markers: [
    { text: '<|start|>' },
    { text: '<|channel|>' },
    { text: '<|end|>' },
    { text: '<|call|>' },
    { text: '<|return|>' },
  ],

  *read(block, marker) {
    // The end of a message that was shown without its frame.
    if (ends.includes(marker.text)) return block.frames.delete('harmony')
    const head = yield* readHead(block, marker.text)
    if (head === undefined) return false
    const recipient = /(?:^|\s)to=functions\.([^\s<]+)/.exec(head)?.[1]
    if (recipient !== undefined && !block.offersTools) return false
    const channel = /(?:^|<\|channel\|>)\s*(\w+)/.exec(
      marker.text === '<|channel|>' ? head : head.replace(/^[^<]*/, ''),
    )?.[1]
    block.commit()
    block.frames.delete('harmony')
    if (recipient !== undefined) {
      const builder = callBuilder(block)
      builder.setName(recipient)
      const call = yield* readArguments(block, builder, [...ends, ...starts])
      yield* endBlock(block, { closers: ends, openers: starts }, call)
    } else if (channel === 'analysis') {
      yield* readReasoning(block, ends, starts)
    } else block.frames.add('harmony')
    return true
  },
})

/** An empty channel that gpt-oss sometimes opens before the real one. */
const stray = /^(.*?)(?:<\|channel\|>)?\s*commentary(?:\s+to=assistant)?\s*$/

/** Reads the text up to and including `<|message|>`. It names one channel, and perhaps a stray one before it. */
function* readHead({ source }: Block, marker: string): ParseGenerator<string | undefined> {
  let head = ''
  let hasChannel = marker === '<|channel|>'
  let mayStray = true
  while (head.length < headLimit && (yield* source.fill())) {
    const character = source.window.charAt(source.at)
    if (character === '\n') return undefined
    if (character === '<') {
      if (yield* source.take('<|message|>')) return head
      const isChannel = yield* source.sees('<|channel|>')
      const left = isChannel && hasChannel && mayStray ? stray.exec(head) : undefined
      if (left) {
        head = left[1] ?? ''
        mayStray = false
      } else if (isChannel ? hasChannel : !(yield* source.sees('<|constrain|>'))) return undefined
      hasChannel ||= isChannel
    }
    head += character
    source.at++
  }
  return undefined
}
