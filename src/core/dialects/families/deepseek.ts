import { callBuilder, endBlock, readArguments, readCallSection, takeCloser } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import { failAndSkip, readNameUntil } from '../parameters.js'
import type { ParseGenerator } from '../source.js'

const sectionOpener = '<｜tool▁calls▁begin｜>'
const sectionCloser = '<｜tool▁calls▁end｜>'
const opener = '<｜tool▁call▁begin｜>'
const closer = '<｜tool▁call▁end｜>'
const separator = '<｜tool▁sep｜>'

/** Calls between DeepSeek's markers: V3 with a type and a fence, V3.1 with the name and bare JSON. */
export const deepseek = defineDialect({
  names: ['deepseek_v3', 'deepseek_v31'],
  markers: [{ text: sectionOpener }, { text: opener }],

  read: (block, marker) =>
    readCallSection(block, opener, { hasOpened: marker.text === sectionOpener, closer: sectionCloser }, readCall),
})

function* readCall(block: Block): ParseGenerator<void> {
  const { source } = block
  const stops = [closer, sectionCloser, opener]
  const end = { closers: [closer], openers: [sectionCloser, opener] }
  const builder = callBuilder(block)
  const head = yield* readNameUntil(block, separator)
  if (head === undefined) {
    yield* failAndSkip(block, builder, 'the tool name is missing', stops)
    return yield* takeCloser(block, [closer])
  }
  if ((yield* source.skipSpace()) === 123) builder.setName(head)
  else {
    const name = yield* readNameUntil(block, '\n')
    builder.setName(name)
    yield* source.skipSpace()
    if (yield* source.take('```')) yield* source.take('json', true)
  }
  yield* endBlock(block, end, yield* readArguments(block, builder, ['```', ...stops]))
}
