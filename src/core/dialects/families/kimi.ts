import { callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import type { Reading } from '../source.js'
import { endBlock, readArguments, takeCloser } from '../values/read-calls.js'
import { breakOff, readNameUntil } from './parameter-list.js'

const sectionOpener = '<|tool_calls_section_begin|>'
const sectionCloser = '<|tool_calls_section_end|>'
const opener = '<|tool_call_begin|>'
const closer = '<|tool_call_end|>'

/** `functions.NAME:N` and its JSON between Kimi's markers. */
export const kimi = defineDialect({
  names: ['kimi_k2'],
  markers: [{ text: sectionOpener }, { text: opener }],

  *read(block, marker) {
    const { source } = block
    if (marker.text === sectionOpener) {
      yield* source.skipSpace()
      if (!(yield* source.take(opener))) return false
    }
    block.commit()
    do {
      yield* readCall(block)
      yield* source.skipSpace()
    } while (yield* source.take(opener))
    yield* takeCloser(block, [sectionCloser])
    return true
  },
})

function* readCall(block: Block): Reading<void> {
  const stops = [closer, sectionCloser, opener]
  const ticket = callTicket(block)
  const head = yield* readNameUntil(block, '<|tool_call_argument_begin|>')
  if (head === undefined) {
    yield* breakOff(block, ticket, 'it names no tool', stops)
    return yield* takeCloser(block, [closer])
  }
  ticket.identified(head)
  ticket.named(head.replace(/^functions\./, '').replace(/:\d+$/, ''))
  const call = yield* readArguments(block, ticket, stops)
  yield* endBlock(block, { closers: [closer], openers: [sectionCloser, opener] }, call)
}
