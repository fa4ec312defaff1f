import { callBuilder, endBlock, readArguments, readCallSection, takeCloser } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import { failAndSkip, readNameUntil } from '../parameters.js'
import type { ParseGenerator } from '../source.js'

const sectionOpener = '<|tool_calls_section_begin|>'
const sectionCloser = '<|tool_calls_section_end|>'
const opener = '<|tool_call_begin|>'
const closer = '<|tool_call_end|>'

/** `functions.NAME:N` and its JSON between Kimi's markers. */
export const kimi = defineDialect({
  names: ['kimi_k2'],
  markers: [{ text: sectionOpener }, { text: opener }],

  read: (block, marker) =>
    readCallSection(block, opener, { hasOpened: marker.text === sectionOpener, closer: sectionCloser }, readCall),
})

function* readCall(block: Block): ParseGenerator<void> {
  const stops = [closer, sectionCloser, opener]
  const builder = callBuilder(block)
  const head = yield* readNameUntil(block, '<|tool_call_argument_begin|>')
  if (head === undefined) {
    yield* failAndSkip(block, builder, 'the tool name is missing', stops)
    return yield* takeCloser(block, [closer])
  }
  builder.setId(head)
  builder.setName(head.replace(/^functions\./, '').replace(/:\d+$/, ''))
  const call = yield* readArguments(block, builder, stops)
  yield* endBlock(block, { closers: [closer], openers: [sectionCloser, opener] }, call)
}
