import { callBuilder, endBlock, firstSeen, readCalls } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import { faults } from '../faults.js'
import { readLiteral, setMember, skipBroken } from '../literals.js'
import type { ParseGenerator } from '../source.js'

/** A Python list of calls: the whole reply, or between two markers. */
export const pythonic = defineDialect({
  names: ['pythonic'],
  markers: [{ text: '<|python_start|>' }, { text: '[', bare: true, place: 'reply-start' }],
  *read(block, marker) {
    if (marker.bare) return yield* readWholeReply(block)
    return yield* readMarked(block, ['<|python_end|>'])
  },
})

export const olmo3 = defineDialect({
  names: ['olmo3_pythonic'],
  markers: [{ text: '<function_calls', tag: true }],
  read: (block) => readMarked(block, ['</function_calls>']),
})

export const lfm2 = defineDialect({
  names: ['lfm2'],
  markers: [{ text: '<|tool_call_start|>' }],
  *read(block) {
    const { source } = block
    const closers = ['<|tool_call_end|>']
    const mark = source.mark()
    yield* source.skipSpace()
    const isArray = yield* source.take('[')
    const code = yield* source.skipSpace()
    source.rewind(mark)
    if (code !== 123 && !(isArray && code === 93)) return yield* readMarked(block, closers)
    block.commit()
    yield* readCalls(block, { closers })
    return true
  },
})

function* readMarked(block: Block, closers: string[]): ParseGenerator<boolean> {
  const { source } = block
  yield* source.skipSpace()
  const isList = yield* source.take('[')
  yield* source.skipSpace()
  const name = yield* readCallStart(block)
  if (name === undefined) return false
  block.commit()
  yield* readPythonCalls(block, name, closers)
  if (isList) {
    yield* source.skipSpace()
    yield* source.take(']')
  }
  yield* endBlock(block, { closers }, undefined)
  return true
}

/** The whole reply is the list; if anything follows it, all of it is text. */
function* readWholeReply(block: Block): ParseGenerator<boolean> {
  const { source, find } = block
  yield* source.skipSpace()
  const mark = source.mark()
  const name = yield* readCallStart(block)
  if (name === undefined) {
    source.release()
    return false
  }
  // A dry run first: nothing may be reported before the end is known.
  let faults = 0
  const call = ({ type }: { type: string }) => void (type === 'error' && faults++)
  yield* readPythonCalls(
    { ...block, events: { ...block.events, call }, find: () => ({ name, inputSchema: {} }) },
    name,
    [],
  )
  yield* source.skipSpace()
  const isClosed = yield* source.take(']')
  const isAll = (yield* source.skipSpace()) === -1
  const isCut = !isClosed && isAll
  if (!isAll || ((faults > 0 || isCut) && find(name) === undefined)) {
    source.release()
    return false
  }
  source.rewind(mark)
  block.commit()
  // The dry run has read the same start.
  yield* readPythonCalls(block, (yield* readCallStart(block))!, [])
  yield* source.skipSpace()
  yield* source.take(']')
  return true
}

/** Reads calls separated by commas or line breaks, from after the first one's parenthesis. */
function* readPythonCalls(block: Block, first: string, stops: readonly string[]): ParseGenerator<void> {
  const { source } = block
  for (let name: string | undefined = first; name !== undefined; name = yield* readNext(block, stops)) {
    yield* readPythonCall(block, name, stops)
  }
  yield* source.skipSpace()
}

function* readNext(block: Block, stops: readonly string[]): ParseGenerator<string | undefined> {
  const { source } = block
  for (;;) {
    const code = yield* source.skipSpace()
    if (code === -1 || code === 93 || (yield* firstSeen(block, stops)) !== undefined) return undefined
    if (code === 44 || code === 59) {
      source.at++
      continue
    }
    const mark = source.mark()
    const name = yield* readCallStart(block)
    if (name !== undefined) {
      source.release()
      return name
    }
    source.rewind(mark)
    if (stops.length === 0) return undefined
    callBuilder(block).malformed(`${JSON.stringify(String.fromCharCode(code))} was found where a call was expected`)
    yield* skipBroken(source, { stops, depth: 1 })
    return undefined
  }
}

/** Reads keyword arguments with literal values, from after the parenthesis. */
function* readPythonCall(block: Block, name: string, stops: readonly string[]): ParseGenerator<void> {
  const { source, limit } = block
  const builder = callBuilder(block)
  builder.setName(name)
  const args: Record<string, unknown> = {}
  for (;;) {
    const code = yield* source.skipSpace()
    if (code === 41) {
      source.at++
      return builder.call(args)
    }
    if (code === 44) {
      source.at++
      continue
    }
    const key = yield* readIdentifier(block)
    const next = yield* source.skipSpace()
    if (key === '' || next !== 61) {
      builder.malformed(next === -1 ? faults.cutCall : 'its arguments must be written as name=value')
      yield* skipBroken(source, { stops, depth: 1 })
      return
    }
    source.at++
    const literal = yield* readLiteral(source, { syntax: 'python', limit })
    if (!literal.ok) {
      builder.malformed(literal.message)
      yield* skipBroken(source, { stops, depth: literal.depth + 1, quote: literal.quote })
      return
    }
    setMember(args, key, literal.value)
  }
}

/** Reads a name and its opening parenthesis; undefined if something else stands here. */
function* readCallStart(block: Block): ParseGenerator<string | undefined> {
  const name = yield* readIdentifier(block)
  if (name === '') return undefined
  yield* block.source.skipSpace()
  return (yield* block.source.take('(')) ? name : undefined
}

function* readIdentifier({ source }: Block): ParseGenerator<string> {
  let name = ''
  while (name.length < 200 && (yield* source.fill())) {
    const character = source.window.charAt(source.at)
    if (!/[\w.-]/.test(character) || (name === '' && !/[A-Za-z_]/.test(character))) break
    name += character
    source.at++
  }
  return name
}
