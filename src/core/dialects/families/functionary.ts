import { callBuilder, endBlock, readArguments } from '../calls.js'
import { defineDialect } from '../dialect.js'
import { readNameUntil } from '../parameters.js'

const closer = '</function>'

/** `<function=NAME>{…}</function>`. */
export const functionary = defineDialect({
  names: ['functionary_v31'],
  markers: [{ text: '<function=' }],

  *read(block) {
    const { source } = block
    const name = yield* readNameUntil(block, '>')
    const code = yield* source.skipSpace()
    if (name === undefined || !/^[^\s<>]+$/.test(name)) return false
    if (code !== 123 && !(yield* source.sees(closer, true))) return false
    block.commit()
    const builder = callBuilder(block)
    builder.setName(name)
    const end = { closers: [closer], openers: ['<function='] }
    yield* endBlock(block, end, yield* readArguments(block, builder, [closer, '<function=']))
    return true
  },
})
