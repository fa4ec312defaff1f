import { type CallTicket, callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import type { JsonObject } from '../reader-event.js'
import type { Reading } from '../source.js'
import { endBlock, readArguments } from '../values/read-calls.js'
import type { LiteralSyntax } from '../values/read-literal.js'

/** `<|tool_call>call:NAME{key:value}<tool_call|>` with strings between `<|"|>`. */
export const gemma4 = defineDialect({
  names: ['gemma4'],
  markers: [{ text: '<|tool_call>' }],
  read: (block) => readGemmaCall(block, { opener: '<|tool_call>', closer: '<tool_call|>', syntax: 'gemma' }),
})

/** The same with `<escape>` for quotes. Some write all values between them, so that the schema says what they are. */
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
  typed?: (ticket: CallTicket) => CallTicket
}

function* readGemmaCall(block: Block, { opener, closer, syntax, typed }: GemmaForm): Reading<boolean> {
  const { source } = block
  yield* source.skipSpace()
  if (!(yield* source.take('call:'))) return false
  let name = ''
  while (name.length < 200 && (yield* source.fill()) && /[\w.:/ -]/.test(source.window[source.at])) {
    name += source.window[source.at++]
  }
  if (!(yield* source.sees('{'))) return false
  block.commit()
  const ticket = callTicket(block)
  ticket.named(name)
  const call = yield* readArguments(block, typed?.(ticket) ?? ticket, [closer, opener], syntax)
  yield* endBlock(block, { closers: [closer], openers: [opener] }, call)
  return true
}

function typedBySchema(ticket: CallTicket): CallTicket {
  return {
    ...ticket,
    call(args) {
      const members = Object.entries((args ?? {}) as JsonObject)
      const texts = members.filter((member): member is [string, string] => typeof member[1] === 'string')
      ticket.callWithText(texts, { typed: members.filter(([, value]) => typeof value !== 'string') })
    },
  }
}
