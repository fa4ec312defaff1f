import { callBuilder, readArguments, readCalls } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import type { ParseGenerator } from '../source.js'

/** `[TOOL_CALLS]` and an array, or `[TOOL_CALLS]NAME[CALL_ID]id[ARGS]{…}`. */
export const mistral = defineDialect({
  names: ['mistral'],
  markers: [{ text: '[TOOL_CALLS]' }],

  *read(block) {
    const { source } = block
    yield* source.skipSpace()
    if (yield* source.sees('[')) {
      const mark = source.mark()
      source.at++
      const code = yield* source.skipSpace()
      source.rewind(mark)
      if (code !== 123 && code !== 93) return false
      block.commit()
      yield* readCalls(block, { closers: [] })
      return true
    }
    const name = yield* readWord(block)
    if (name === '') return false
    const id = (yield* source.take('[CALL_ID]')) ? yield* readWord(block) : undefined
    yield* source.skipSpace()
    const hasMark = yield* source.take('[ARGS]')
    const code = yield* source.skipSpace()
    if (!hasMark && code !== 123) return false
    block.commit()
    const builder = callBuilder(block)
    builder.setName(name)
    builder.setId(id)
    ;(yield* readArguments(block, builder, ['[TOOL_CALLS]']))?.complete()
    return true
  },
})

function* readWord({ source }: Block): ParseGenerator<string> {
  let word = ''
  while (word.length < 200 && (yield* source.fill())) {
    const character = source.window.charAt(source.at)
    if (!/[\w.:/-]/.test(character)) break
    word += character
    source.at++
  }
  return word
}
