import { callBuilder, endBlock, readArguments, takeCloser } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import { faults } from '../faults.js'
import {
  failAndSkip,
  matchesOrEnds,
  nextParameter,
  readNameUntil,
  readRawValue,
  skipDoubledOpener,
} from '../parameters.js'
import type { ParseGenerator } from '../source.js'

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

/** Without an outer tag, the first parameter or the end must follow directly. */
function* startsFunction(block: Block): ParseGenerator<boolean> {
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

/** Reads from after `<function=`. */
function* readFunction(block: Block, isWrapped: boolean): ParseGenerator<void> {
  const { source, limit } = block
  const builder = callBuilder(block)
  const stops = isWrapped ? [functionCloser, closer, opener] : [functionCloser]
  const end = { closers: [functionCloser], openers: isWrapped ? [closer, opener] : [] }
  const name = yield* readNameUntil(block, '>')
  if (name === undefined) {
    yield* failAndSkip(block, builder, 'its name does not end', stops)
    return yield* takeCloser(block, [functionCloser])
  }
  builder.setName(unquoted(name))
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
                canContinue: () => canContinue(block, isWrapped),
              }),
              closer: parameterCloser,
              nested: [parameterOpener],
              limit,
              canContinue: () => canContinue(block, isWrapped),
              lastClosers: isWrapped ? [functionCloser, closer] : [functionCloser],
            })
      if (key === undefined || value === undefined) {
        yield* failAndSkip(block, builder, faults.unclosedParameter(key), stops)
        return yield* takeCloser(block, [functionCloser])
      }
      values.push([unquoted(key), value])
    } else if (code === 123 && values.length === 0) {
      return yield* endBlock(block, end, yield* readArguments(block, builder, stops))
    } else if (code === -1 || (yield* atEnd(block, isWrapped))) {
      builder.callWithText(values, { repeats: hasRepeats(values) })
      return yield* takeCloser(block, [functionCloser])
    } else {
      yield* failAndSkip(block, builder, faults.noParameter(code), stops)
      return yield* takeCloser(block, [functionCloser])
    }
  }
}

function* atEnd(block: Block, isWrapped: boolean): ParseGenerator<boolean> {
  if (yield* matchesOrEnds(block, functionCloser)) return true
  return isWrapped && ((yield* matchesOrEnds(block, closer)) || (yield* block.source.sees(opener, true)))
}

const hasRepeats = (values: readonly [string, string][]): boolean =>
  new Set(values.map(([key]) => key)).size < values.length

/** Some models write the name in quotes. */
const unquoted = (name: string): string => name.replace(/^(["'])(.*)\1$/, '$2')

/** Checks the text after `</parameter>`. */
function* canContinue(block: Block, isWrapped: boolean): ParseGenerator<boolean> {
  const { source } = block
  if ((yield* source.skipSpace()) === -1) return true
  if (yield* source.sees(parameterOpener)) return true
  if (isWrapped && (yield* matchesOrEnds(block, closer))) return true
  if (!(yield* source.take(functionCloser, true))) return yield* matchesOrEnds(block, functionCloser)
  if (!isWrapped || (yield* source.skipSpace()) === -1) return true
  for (const next of [closer, '<function=', opener]) if (yield* matchesOrEnds(block, next)) return true
  return false
}
