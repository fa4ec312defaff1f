import {
  callBuilder,
  callFromObject,
  callsInLiteral,
  type LiteralCalls,
  type LiteralText,
  readCallLiteral,
  readCalls,
} from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import type { JsonObject } from '../events.js'
import { skipBroken } from '../literals.js'
import { type ParseGenerator, parseWhole } from '../source.js'

const brace = 123

/** `{"name", "parameters"}` after a marker, at the start of the reply, or alone on its last line. */
export const llamaJson = defineDialect({
  names: ['llama3_json'],
  markers: [
    { text: '<|python_tag|>' },
    { text: '{', bare: true, place: 'reply-start' },
    { text: '{', bare: true, place: 'line-start' },
  ],
  *read(block, marker) {
    const { source } = block
    if (marker.place === 'reply-start') return yield* readBareCalls(block, ';')
    if (marker.place === 'line-start') return yield* readLastLine(block)
    if ((yield* source.skipSpace()) !== brace) return false
    block.commit()
    do yield* readCalls(block, { closers: [] })
    while (yield* takeSeparator(block, ';'))
    return true
  },
})

/** An array of call objects at the start of the reply. */
export const bareArray = defineDialect({
  names: ['xlam'],
  markers: [{ text: '[', bare: true, place: 'reply-start' }],
  read: (block) => readBareCalls(block),
})

/** Our own call object alone on any line, without tags. */
export const sentinelLine = defineDialect({
  names: ['sentinel_line'],
  markers: [{ text: '{', bare: true, place: 'line-start' }],
  *read(block) {
    block.source.at--
    const calls = callsOnLine(yield* readLine(block), block)
    if (calls?.length !== 1) return false
    report(block, calls)
    return true
  },
})

/** Reads values that count only if they are calls, starting after their first character. */
function* readBareCalls(block: Block, separator?: string): ParseGenerator<boolean> {
  const { source } = block
  source.at--
  const first = yield* readBareCall(block)
  if (first === undefined) return false
  report(block, [first])
  while (separator !== undefined) {
    const mark = source.mark()
    const next = (yield* takeSeparator(block, separator)) ? yield* readBareCall(block) : undefined
    if (next === undefined) {
      source.rewind(mark)
      break
    }
    source.release()
    report(block, [next])
  }
  return true
}

/** Calls with their written form. */
type ReadCalls = LiteralCalls & { written: LiteralText }

function* readBareCall(block: Block): ParseGenerator<ReadCalls | undefined> {
  const { literal, written } = yield* readCallLiteral(block.source, block.limit)
  const is = (value: JsonObject): boolean => isCall(value, 'object')
  const means = (value: JsonObject): boolean => is(value) && block.find(value.name as string) !== undefined
  const judged = callsInLiteral(literal, is, means)
  if (judged?.broken && !literal.ok) {
    yield* skipBroken(block.source, { stops: [], depth: literal.depth, quote: literal.quote })
  }
  return judged && { ...judged, written }
}

function report(block: Block, all: readonly ReadCalls[]): void {
  block.commit()
  for (const read of all) {
    for (const object of read.complete) callFromObject(callBuilder(block), object, read.written)
    if (read.broken === undefined) continue
    const builder = callBuilder(block)
    builder.setName(read.broken.value.name)
    builder.malformed(read.broken.message)
  }
}

/** Reads calls of declared tools, alone on the last line of the reply. */
function* readLastLine(block: Block): ParseGenerator<boolean> {
  block.source.at--
  const calls = callsOnLine(yield* readLine(block), block)
  if (calls === undefined || (yield* block.source.skipSpace()) !== -1) return false
  report(block, calls)
  return true
}

/** The text up to the end of this line; undefined if the line is too long. */
function* readLine({ source, limit }: Block): ParseGenerator<string | undefined> {
  const pieces: string[] = []
  let length = 0
  while (yield* source.fill()) {
    const lineEnd = source.window.indexOf('\n', source.at)
    const end = lineEnd === -1 ? source.window.length : lineEnd
    pieces.push(source.window.slice(source.at, end))
    length += end - source.at
    source.at = end
    if (length > limit) return undefined
    if (lineEnd !== -1) break
  }
  return pieces.join('')
}

function callsOnLine(line: string | undefined, block: Block): ReadCalls[] | undefined {
  if (line === undefined) return undefined
  return parseWhole(line, function* (source) {
    const calls: ReadCalls[] = []
    do {
      const { literal, written } = yield* readCallLiteral(source, line.length)
      const value = (literal.ok ? literal.value : {}) as JsonObject
      if (!isCall(value, 'any') || !block.find(value.name as string)) return undefined
      calls.push({ complete: [value], written })
    } while (yield* takeSeparator({ source }, ';'))
    return (yield* source.skipSpace()) === -1 ? calls : undefined
  })
}

/** True if another value follows the separator. The separator is read only then. */
function* takeSeparator({ source }: Pick<Block, 'source'>, separator: string): ParseGenerator<boolean> {
  const mark = source.mark()
  yield* source.skipSpace()
  const follows = (yield* source.take(separator)) && (yield* source.skipSpace()) === brace
  if (follows) source.release()
  else source.rewind(mark)
  return follows
}

/** True for a string `name` with arguments that are an object, or, for `any`, a string. */
function isCall({ name, parameters, arguments: args = parameters }: JsonObject, kind: 'object' | 'any'): boolean {
  if (typeof name !== 'string') return false
  return (
    (typeof args === 'object' && args !== null && !Array.isArray(args)) || (kind === 'any' && typeof args === 'string')
  )
}
