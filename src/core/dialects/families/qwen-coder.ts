import { callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import type { Reading } from '../source.js'
import { endBlock, readArguments, takeCloser } from '../values/read-calls.js'
import { readRawValue } from '../values/read-raw-value.js'
import { breakOff, nextParameter, readNameUntil, seesOrCut, skipDoubledOpener } from './parameter-list.js'

const opener = '<tool_call>'
const closer = '</tool_call>'
const functionCloser = '</function>'
const parameterOpener = '<parameter='
const parameterCloser = '</parameter>'

/** `<tool_call><function=NAME><parameter=KEY>value</parameter></function></tool_call>`; the outer tag may be missing. */
export const qwenCoder = defineDialect({
  names: ['qwen3_coder'],
  markers: [{ text: '<tool_call', tag: true }, { text: '<function=' }],

  *read(block, marker) {
    const { source } = block
    if (marker.text === '<function=') {
      if (!(yield* startsFunction(block))) return false
      yield* readFunction(block, false)
      const mark = source.mark()
      yield* source.skipSpace()
      if (yield* source.take(closer, true)) source.release()
      else source.rewind(mark)
      return true
    }
    yield* skipDoubledOpener(block, opener)
    if (!(yield* source.take('<function='))) return false
    block.commit()
    do {
      yield* readFunction(block, true)
      yield* source.skipSpace()
    } while (yield* source.take('<function='))
    yield* takeCloser(block, [closer])
    return true
  },
})

/** Without an outer tag the first parameter, or the end, must follow at once. */
function* startsFunction(block: Block): Reading<boolean> {
  const { source } = block
  const mark = source.mark()
  const name = yield* readNameUntil(block, '>')
  yield* source.skipSpace()
  const starts = (yield* source.sees(parameterOpener)) || (yield* source.sees(functionCloser))
  source.rewind(mark)
  const isName = name !== undefined && /^[^\s<>]+$/.test(name)
  if (starts && isName) block.commit()
  return starts && isName
}

/** Reads from behind `<function=`. */
function* readFunction(block: Block, isWrapped: boolean): Reading<void> {
  const { source, limit } = block
  const ticket = callTicket(block)
  const stops = isWrapped ? [functionCloser, closer, opener] : [functionCloser]
  const end = { closers: [functionCloser], openers: isWrapped ? [closer, opener] : [] }
  const name = yield* readNameUntil(block, '>')
  if (name === undefined) {
    yield* breakOff(block, ticket, 'its name does not end', stops)
    return yield* takeCloser(block, [functionCloser])
  }
  ticket.named(unquoted(name))
  const values: [string, string][] = []
  for (;;) {
    const code = yield* source.skipSpace()
    if (yield* source.take(parameterOpener)) {
      const key = yield* readNameUntil(block, '>')
      const given = [...values.map(([one]) => one), unquoted(key ?? '')]
      const value =
        key === undefined
          ? undefined
          : yield* readRawValue(source, {
              startsNext: nextParameter(block, unquoted(name), given, {
                closer: parameterCloser,
                opener: parameterOpener,
                *readName() {
                  return unquoted((yield* readNameUntil(block, '>')) ?? '')
                },
                goesOn: () => goesOn(block, isWrapped),
              }),
              closer: parameterCloser,
              nested: [parameterOpener],
              limit,
              goesOn: () => goesOn(block, isWrapped),
              lastClosers: isWrapped ? [functionCloser, closer] : [functionCloser],
            })
      if (key === undefined || value === undefined) {
        yield* breakOff(block, ticket, `its parameter ${key ?? ''} does not end`, stops)
        return yield* takeCloser(block, [functionCloser])
      }
      values.push([unquoted(key), value])
    } else if (code === 123 && values.length === 0) {
      return yield* endBlock(block, end, yield* readArguments(block, ticket, stops))
    } else if (code === -1 || (yield* atEnd(block, isWrapped))) {
      ticket.callWithText(values, { repeats: hasRepeats(values) })
      return yield* takeCloser(block, [functionCloser])
    } else {
      yield* breakOff(
        block,
        ticket,
        `${JSON.stringify(String.fromCharCode(code))} stands where a parameter should`,
        stops,
      )
      return yield* takeCloser(block, [functionCloser])
    }
  }
}

function* atEnd(block: Block, isWrapped: boolean): Reading<boolean> {
  if (yield* seesOrCut(block, functionCloser)) return true
  return isWrapped && ((yield* seesOrCut(block, closer)) || (yield* block.source.sees(opener, true)))
}

const hasRepeats = (values: readonly [string, string][]): boolean =>
  new Set(values.map(([key]) => key)).size < values.length

/** Some write the name in quotes. */
const unquoted = (name: string): string => name.replace(/^(["'])(.*)\1$/, '$2')

/** Behind `</parameter>`. */
function* goesOn(block: Block, isWrapped: boolean): Reading<boolean> {
  const { source } = block
  if ((yield* source.skipSpace()) === -1) return true
  if (yield* source.sees(parameterOpener)) return true
  if (isWrapped && (yield* seesOrCut(block, closer))) return true
  if (!(yield* source.take(functionCloser, true))) return yield* seesOrCut(block, functionCloser)
  if (!isWrapped || (yield* source.skipSpace()) === -1) return true
  for (const next of [closer, '<function=', opener]) if (yield* seesOrCut(block, next)) return true
  return false
}
