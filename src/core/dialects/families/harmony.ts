import { callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import { readReasoning } from '../prose/read-reasoning.js'
import type { Reading } from '../source.js'
import { endBlock, readArguments } from '../values/read-calls.js'

const ends = ['<|end|>', '<|call|>', '<|return|>']
const starts = ['<|start|>', '<|channel|>']
const headLimit = 400

/** Messages of gpt-oss. A recipient makes the message a call; analysis is reasoning; the rest is shown without its frame. */
export const harmony = defineDialect({
  names: ['harmony'],
  isFrame: true,
  markers: [...starts, ...ends].map((text) => ({ text })),

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
      const ticket = callTicket(block)
      ticket.named(recipient)
      const call = yield* readArguments(block, ticket, [...ends, ...starts])
      yield* endBlock(block, { closers: ends, openers: starts }, call)
    } else if (channel === 'analysis') {
      yield* readReasoning(block, ends, starts)
    } else block.frames.add('harmony')
    return true
  },
})

/** A channel that is opened and left at once: gpt-oss now and then writes it before the real one. */
const stray = /^(.*?)(?:<\|channel\|>)?\s*commentary(?:\s+to=assistant)?\s*$/

/** The text up to `<|message|>`, which is read too. It names a channel once, but for a stray one before it. */
function* readHead({ source }: Block, marker: string): Reading<string | undefined> {
  let head = ''
  let hasChannel = marker === '<|channel|>'
  let mayStray = true
  while (head.length < headLimit && (yield* source.fill())) {
    const character = source.window[source.at]
    if (character === '\n') return undefined
    if (character === '<') {
      if (yield* source.take('<|message|>')) return head
      const isChannel = yield* source.sees('<|channel|>')
      const left = isChannel && hasChannel && mayStray ? stray.exec(head) : undefined
      if (left) {
        head = left[1]
        mayStray = false
      } else if (isChannel ? hasChannel : !(yield* source.sees('<|constrain|>'))) return undefined
      hasChannel ||= isChannel
    }
    head += character
    source.at++
  }
  return undefined
}
