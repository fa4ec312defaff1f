import { callBuilder, callFromObject, callsInLiteral, readCallLiteral } from '../calls.js'
import { defineDialect } from '../dialect.js'
import type { JsonObject } from '../events.js'
import { skipBroken } from '../literals.js'

const fence = '```'

/** `Action:` and a json fence with an array of calls. Here the fence belongs to the grammar. */
export const cohereMarkdown = defineDialect({
  names: ['cohere_action_md'],
  markers: [{ text: 'Action:', place: 'line-start', word: true }],

  *read(block) {
    const { source } = block
    yield* source.skipSpace()
    if (!(yield* source.take(`${fence}json`))) return false
    if ((yield* source.skipSpace()) !== 91) return false
    const { literal, written } = yield* readCallLiteral(source, block.limit, [fence])
    // In a fence, only Cohere's own key `tool_name` makes a call.
    const isAction = ({ tool_name: name }: JsonObject): boolean => typeof name === 'string'
    const judged = callsInLiteral(literal, isAction, isAction)
    if (judged === undefined) return false
    if (judged.broken) yield* skipBroken(source, { stops: [fence] })
    const isEnded = (yield* source.skipSpace()) === -1 || (yield* source.take(fence))
    if (!isEnded) return false
    block.commit()
    for (const object of judged.complete) callFromObject(callBuilder(block), object, written)
    if (judged.broken === undefined) return true
    const builder = callBuilder(block)
    builder.setName(judged.broken.value.tool_name)
    builder.malformed(judged.broken.message)
    return true
  },
})
