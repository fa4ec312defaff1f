import { callTicket } from '../call-ticket.js'
import { defineDialect } from '../dialect.js'
import type { JsonObject } from '../reader-event.js'
import { readCallLiteral } from '../values/call-literal.js'
import { judgeCalls } from '../values/judge-calls.js'
import { callFromObject } from '../values/read-calls.js'
import { skipBroken } from '../values/skip-broken.js'

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
    // In a fence only what names a tool in Cohere's own word counts.
    const isAction = ({ tool_name: name }: JsonObject): boolean => typeof name === 'string'
    const judged = judgeCalls(literal, isAction, isAction)
    if (judged === undefined) return false
    if (judged.broken) yield* skipBroken(source, { stops: [fence] })
    const isEnded = (yield* source.skipSpace()) === -1 || (yield* source.take(fence))
    if (!isEnded) return false
    block.commit()
    for (const object of judged.complete) callFromObject(callTicket(block), object, written)
    if (judged.broken === undefined) return true
    const ticket = callTicket(block)
    ticket.named(judged.broken.value.tool_name)
    ticket.malformed(judged.broken.message)
    return true
  },
})
