import { callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import type { JsonObject } from '../reader-event.js'
import { type Reading, readWhole } from '../source.js'
import { readCallLiteral, type Written } from '../values/call-literal.js'
import { type JudgedCalls, judgeCalls } from '../values/judge-calls.js'
import { callFromObject, readCalls } from '../values/read-calls.js'
import { skipBroken } from '../values/skip-broken.js'

const brace = 123

/** `{"name", "parameters"}` behind a marker, as the start of the reply, or alone on its last line. */
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

/** An array of call objects as the start of the reply. */
export const bareArray = defineDialect({
  names: ['xlam'],
  markers: [{ text: '[', bare: true, place: 'reply-start' }],
  read: (block) => readBareCalls(block),
})

/** Our own call object alone on any line, without sentinels. */
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

/** Values that count only if they are calls. Starts behind the first character. */
function* readBareCalls(block: Block, separator?: string): Reading<boolean> {
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

/** Calls that were read, with what they look like. */
type ReadCalls = JudgedCalls & { written: Written }

function* readBareCall(block: Block): Reading<ReadCalls | undefined> {
  const { literal, written } = yield* readCallLiteral(block.source, block.limit)
  const is = (value: JsonObject): boolean => isCall(value, 'object')
  const means = (value: JsonObject): boolean => is(value) && block.find(value.name as string) !== undefined
  const judged = judgeCalls(literal, is, means)
  if (judged?.broken && !literal.ok) {
    yield* skipBroken(block.source, { stops: [], depth: literal.depth, quote: literal.quote })
  }
  return judged && { ...judged, written }
}

function report(block: Block, all: readonly ReadCalls[]): void {
  block.commit()
  for (const read of all) {
    for (const object of read.complete) callFromObject(callTicket(block), object, read.written)
    if (read.broken === undefined) continue
    const ticket = callTicket(block)
    ticket.named(read.broken.value.name)
    ticket.malformed(read.broken.message)
  }
}

/** Calls of declared tools, alone on the last line of the reply. */
function* readLastLine(block: Block): Reading<boolean> {
  block.source.at--
  const calls = callsOnLine(yield* readLine(block), block)
  if (calls === undefined || (yield* block.source.skipSpace()) !== -1) return false
  report(block, calls)
  return true
}

/** The text up to the end of this line, or undefined when it does not end. */
function* readLine({ source, limit }: Block): Reading<string | undefined> {
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
  return readWhole(line, function* (source) {
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

/** Behind a value: whether another one follows. Reads the separator only if so. */
function* takeSeparator({ source }: Pick<Block, 'source'>, separator: string): Reading<boolean> {
  const mark = source.mark()
  yield* source.skipSpace()
  const follows = (yield* source.take(separator)) && (yield* source.skipSpace()) === brace
  if (follows) source.release()
  else source.rewind(mark)
  return follows
}

/** A string `name` and arguments that are an object, or where that is enough a string. */
function isCall({ name, parameters, arguments: args = parameters }: JsonObject, kind: 'object' | 'any'): boolean {
  if (typeof name !== 'string') return false
  return (
    (typeof args === 'object' && args !== null && !Array.isArray(args)) || (kind === 'any' && typeof args === 'string')
  )
}
