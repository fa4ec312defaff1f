import { callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import type { Reading } from '../source.js'
import { endBlock, readArguments, takeCloser } from '../values/read-calls.js'
import { breakOff, readNameUntil } from './parameter-list.js'

const sectionOpener = '<｜tool▁calls▁begin｜>'
const sectionCloser = '<｜tool▁calls▁end｜>'
const opener = '<｜tool▁call▁begin｜>'
const closer = '<｜tool▁call▁end｜>'
const separator = '<｜tool▁sep｜>'

/** Calls between DeepSeek's markers: V3 with a type and a fence, V3.1 with the name and bare JSON. */
export const deepseek = defineDialect({
  names: ['deepseek_v3', 'deepseek_v31'],
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
  const { source } = block
  const stops = [closer, sectionCloser, opener]
  const end = { closers: [closer], openers: [sectionCloser, opener] }
  const ticket = callTicket(block)
  const head = yield* readNameUntil(block, separator)
  if (head === undefined) {
    yield* breakOff(block, ticket, 'it names no tool', stops)
    return yield* takeCloser(block, [closer])
  }
  if ((yield* source.skipSpace()) === 123) ticket.named(head)
  else {
    const name = yield* readNameUntil(block, '\n')
    ticket.named(name)
    yield* source.skipSpace()
    if (yield* source.take('```')) yield* source.take('json', true)
  }
  yield* endBlock(block, end, yield* readArguments(block, ticket, ['```', ...stops]))
}
