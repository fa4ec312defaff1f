import { type CallBuilder, callBuilder, endBlock, readArguments } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import type { JsonObject } from '../events.js'
import type { LiteralSyntax } from '../literals.js'
import type { ParseGenerator } from '../source.js'

/** `<|tool_call>call:NAME{key:value}<tool_call|>` with strings between `<|"|>`. */
export const gemma4 = defineDialect({
  names: ['gemma4'],
  markers: [{ text: '<|tool_call>' }],
  read: (block) => readGemmaCall(block, { opener: '<|tool_call>', closer: '<tool_call|>', syntax: 'gemma' }),
})

/** The same with `<escape>` for quotes. Some models quote all values, so the schema decides their types. */
export const functionGemma = defineDialect({
  names: ['functiongemma'],
  markers: [{ text: '<start_function_call>' }],
  read: (block) =>
    readGemmaCall(block, {
      opener: '<start_function_call>',
      closer: '<end_function_call>',
      syntax: 'functiongemma',
      typed: typedBySchema,
    }),
})

interface GemmaForm {
  opener: string
  closer: string
  syntax: LiteralSyntax
  typed?: (builder: CallBuilder) => CallBuilder
}

function* readGemmaCall(block: Block, { opener, closer, syntax, typed }: GemmaForm): ParseGenerator<boolean> {
  const { source } = block
  yield* source.skipSpace()
  if (!(yield* source.take('call:'))) return false
  let name = ''
  while (name.length < 200 && (yield* source.fill()) && /[\w.:/ -]/.test(source.window.charAt(source.at))) {
    name += source.window.charAt(source.at++)
  }
  if (!(yield* source.sees('{'))) return false
  block.commit()
  const builder = callBuilder(block)
  builder.setName(name)
  const call = yield* readArguments(block, typed?.(builder) ?? builder, [closer, opener], syntax)
  yield* endBlock(block, { closers: [closer], openers: [opener] }, call)
  return true
}

function typedBySchema(builder: CallBuilder): CallBuilder {
  return {
    ...builder,
    call(args) {
      const members = Object.entries((args ?? {}) as JsonObject)
      const texts = members.filter((member): member is [string, string] => typeof member[1] === 'string')
      builder.callWithText(texts, { typed: members.filter(([, value]) => typeof value !== 'string') })
    },
  }
}
