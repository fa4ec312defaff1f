import { type CallTicket, callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import type { Reading } from '../source.js'
import { firstSeen, type PendingCall, readArguments, takeCloser } from '../values/read-calls.js'
import { readRawValue } from '../values/read-raw-value.js'
import { skipBroken } from '../values/skip-broken.js'
import { breakOff, seesOrCut, skipDoubledOpener } from './parameter-list.js'

const opener = '<use_tool>'
const closer = '</use_tool>'
const argsCloser = '</args>'
const stops = [closer, opener]

/** `<use_tool>` with a `<name>` and either `<args>` holding a JSON object or one element per parameter. */
export const useTool = defineDialect({
  names: ['use_tool', 'use_tool_args', 'use_tool_tags'],
  markers: [{ text: '<use_tool', tag: true }],

  *read(block) {
    const { source } = block
    yield* skipDoubledOpener(block, opener)
    const mark = source.mark()
    const first = yield* readOpeningTag(block)
    source.rewind(mark)
    if (first === undefined) return false
    block.commit()
    yield* readBody(block)
    yield* takeCloser(block, [closer])
    return true
  },
})

function* readBody(block: Block): Reading<void> {
  const { source } = block
  const ticket = callTicket(block)
  const values: [string, string][] = []
  let isNamed = false
  let isInArgs = false
  let args: PendingCall | undefined
  for (;;) {
    const code = yield* source.skipSpace()
    if (isInArgs && (yield* source.take(argsCloser, true))) {
      isInArgs = false
      continue
    }
    if (code === -1 || (yield* seesOrCut(block, closer)) || (yield* source.sees(opener, true))) break
    const tag = code === 60 ? yield* readOpeningTag(block) : undefined
    if (tag === undefined) {
      const found = JSON.stringify(String.fromCharCode(code))
      return yield* breakOff(block, ticket, `${found} stands where an element should`, stops)
    }
    if (tag.toLowerCase() === 'args' && args === undefined && !isInArgs) {
      const next = yield* source.skipSpace()
      if (next === 60 && !(yield* source.sees(argsCloser, true))) {
        isInArgs = true
        continue
      }
      args = yield* readArgs(block, ticket)
      if (args === undefined) return
      continue
    }
    const value = yield* readElement(block, tag)
    if (value === undefined) return yield* breakOff(block, ticket, `its element <${tag}> does not end`, stops)
    if (!isNamed && tag.toLowerCase() === 'name') {
      isNamed = true
      ticket.named(value)
    } else values.push([tag, value])
  }
  if (args && values.length === 0) args.complete()
  else if (args) ticket.malformed('it has both <args> and other parameters')
  else ticket.callWithText(values, { elements: true })
}

/** The JSON object from behind `<args>` to behind `</args>`; undefined when it was reported as unreadable. */
function* readArgs(block: Block, ticket: CallTicket): Reading<PendingCall | undefined> {
  const { source } = block
  // The name may follow, so a fault is reported under the name that is known by then.
  const faults: string[] = []
  const held: CallTicket = { ...ticket, malformed: (message) => void faults.push(message) }
  const pending = yield* readArguments(block, held, [argsCloser, closer])
  if (pending === undefined) {
    yield* skipBroken(source, { stops })
    ticket.malformed(faults[0])
    return undefined
  }
  for (;;) {
    const code = yield* source.skipSpace()
    if ((yield* source.take(argsCloser, true)) || code === -1 || (yield* firstSeen(block, stops)) !== undefined) break
    if (!'}]>'.includes(String.fromCharCode(code))) {
      yield* breakOff(block, ticket, `${JSON.stringify(String.fromCharCode(code))} stands where </args> should`, stops)
      return undefined
    }
    source.at++
  }
  return pending
}

/** The text of an element, from behind its opening tag to behind its closing tag. */
function* readElement(block: Block, tag: string): Reading<string | undefined> {
  return yield* readRawValue(block.source, {
    closer: `</${tag}>`,
    nested: [`<${tag}>`, `<${tag} `],
    limit: block.limit,
    goesOn: () => goesOn(block),
    lastClosers: [closer],
  })
}

/** Behind an element. */
function* goesOn(block: Block): Reading<boolean> {
  const { source } = block
  if (
    (yield* source.skipSpace()) === -1 ||
    (yield* seesOrCut(block, closer)) ||
    (yield* source.sees(argsCloser, true))
  ) {
    return true
  }
  if (yield* source.sees(opener, true)) return true
  return (yield* readOpeningTag(block)) !== undefined
}

/** `<tag>`: its name, or undefined when none stands here. */
function* readOpeningTag({ source }: Block): Reading<string | undefined> {
  if (!(yield* source.take('<'))) return undefined
  let name = ''
  while (name.length < 100 && (yield* source.fill())) {
    const character = source.window[source.at]
    if (character === '>' && name !== '') {
      source.at++
      return name
    }
    if (!(name === '' ? /[A-Za-z_]/ : /[\w.-]/).test(character)) return undefined
    name += character
    source.at++
  }
  return undefined
}
