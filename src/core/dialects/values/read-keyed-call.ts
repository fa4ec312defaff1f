import { callTicket } from '../call-ticket.js'
import type { Block } from '../dialect.js'
import { breakOff, readNameUntil, seesOrCut, skipDoubledOpener } from '../families/parameter-list.js'
import type { Reading } from '../source.js'
import { takeCloser } from './read-calls.js'
import { readRawValue } from './read-raw-value.js'

/**
 * A call whose arguments are pairs of a key and a value, from behind its opening tag. All tags may end in a suffix;
 * `<tool_sep>` may stand behind the name. `outer`: the closing tags that follow the last call.
 */
export function* readKeyedCall(block: Block, suffix: string, outer: readonly string[] = []): Reading<boolean> {
  const { source, limit } = block
  const tag = (name: string): string => `<${name}${suffix}>`
  const [opener, closer] = [tag('tool_call'), tag('/tool_call')]
  yield* skipDoubledOpener(block, opener)
  const name = yield* readToolName(block)
  yield* source.skipSpace()
  if (name === '') return false
  const isParted = yield* source.take(tag('tool_sep'))
  yield* source.skipSpace()
  if (!isParted && !((yield* source.sees(tag('arg_key'))) || (yield* source.sees(closer, true)))) return false
  block.commit()
  const ticket = callTicket(block)
  ticket.named(name)
  const values: [string, string][] = []
  for (;;) {
    const code = yield* source.skipSpace()
    if (yield* source.take(tag('arg_key'))) {
      const key = yield* readNameUntil(block, tag('/arg_key'))
      yield* source.skipSpace()
      const hasValue = key !== undefined && (yield* source.take(tag('arg_value')))
      const shape = {
        closer: tag('/arg_value'),
        nested: [tag('arg_value')],
        limit,
        goesOn: () => goesOn(block, tag('arg_key'), closer),
        lastClosers: [closer, ...outer],
      }
      const value = hasValue ? yield* readRawValue(source, shape) : undefined
      if (key !== undefined && value !== undefined) {
        values.push([key, value])
        continue
      }
      yield* breakOff(block, ticket, `its argument ${key ?? ''} does not end`, [closer, opener])
    } else if (code === -1 || (yield* seesOrCut(block, closer)) || (yield* source.sees(opener, true))) {
      ticket.callWithText(values)
    } else {
      const found = JSON.stringify(String.fromCharCode(code))
      yield* breakOff(block, ticket, `${found} stands where <arg_key> should`, [closer, opener])
    }
    yield* takeCloser(block, [closer])
    return true
  }
}

function* readToolName({ source }: Block): Reading<string> {
  let name = ''
  while (name.length < 200 && (yield* source.fill())) {
    const character = source.window[source.at]
    if (!/[\w.:/-]/.test(character)) break
    name += character
    source.at++
  }
  return name
}

/** Behind `</arg_value>`. */
function* goesOn(block: Block, keyOpener: string, closer: string): Reading<boolean> {
  if ((yield* block.source.skipSpace()) === -1) return true
  return (yield* block.source.sees(keyOpener)) || (yield* seesOrCut(block, closer))
}
