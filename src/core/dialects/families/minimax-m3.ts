import { type CallTicket, callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import type { JsonObject } from '../reader-event.js'
import type { Reading } from '../source.js'
import { readUntil } from '../values/literal-string.js'
import { readElements } from '../values/read-elements.js'
import { setMember } from '../values/read-literal.js'
import { skipBroken } from '../values/skip-broken.js'
import { readNameUntil } from './parameter-list.js'

/** The token that stands before every tag of a call, so that tags in values are text. */
const token = ']<]minimax[>['
const invokeOpener = '<invoke name="'

/**
 * `]<]minimax[>[<tool_call>` around invokes with one element a parameter, each tag behind the token. Arrays are `<item>`
 * elements, objects are elements again.
 */
export const minimaxM3 = defineDialect({
  names: ['minimax_m3'],
  // Servers that drop special tokens leave the tags alone.
  markers: [{ text: token }, { text: '<tool_call', tag: true }],

  *read(block, marker) {
    if (marker.tag) return yield* readWithoutTokens(block)
    if (!(yield* takeTag(block, '<tool_call>'))) return false
    if (!(yield* takeMarked(block, invokeOpener))) return false
    block.commit()
    do yield* readInvoke(block)
    while (yield* takeMarked(block, invokeOpener))
    yield* takeMarked(block, '</tool_call>')
    return true
  },
})

function* readWithoutTokens(block: Block): Reading<boolean> {
  const { source } = block
  yield* source.skipSpace()
  if (!(yield* source.take(invokeOpener))) return false
  block.commit()
  do {
    const ticket = callTicket(block)
    ticket.named(yield* readNameUntil(block, '"'))
    yield* source.take('>')
    yield* readElements(block, ticket, '</invoke>')
    yield* takeTag(block, '</invoke>')
  } while (yield* takeTag(block, invokeOpener))
  yield* takeTag(block, '</tool_call>')
  return true
}

/** White space and a tag. */
function* takeTag({ source }: Block, tag: string): Reading<boolean> {
  const mark = source.mark()
  yield* source.skipSpace()
  const isThere = yield* source.take(tag)
  if (isThere) source.release()
  else source.rewind(mark)
  return isThere
}

function* takeMarked(block: Block, tag: string): Reading<boolean> {
  const { source } = block
  const mark = source.mark()
  const isThere = (yield* takeTag(block, token)) && (yield* takeTag(block, tag))
  if (isThere) source.release()
  else source.rewind(mark)
  return isThere
}

/** An element as it is being read: text, or elements inside. */
interface Element {
  tag: string
  text: string
  children: Element[]
}

/** Reads from behind `<invoke name="`. */
function* readInvoke(block: Block): Reading<void> {
  const { source, limit } = block
  const ticket = callTicket(block)
  ticket.named(yield* readNameUntil(block, '"'))
  yield* source.take('>')
  const root: Element = { tag: 'invoke', text: '', children: [] }
  const open = [root]
  for (let length = 0; length <= limit; ) {
    const text = yield* readUntil(source, token, limit)
    // The last text ends with the reply, in the middle of what was being written or behind it.
    if ('problem' in text) {
      if (text.problem === 'broken') return yield* brokenOff(block, ticket, text.message)
      return ended(ticket, open)
    }
    length += text.value.length + token.length
    open[open.length - 1].text += text.value
    yield* source.skipSpace()
    if (yield* source.take('</')) {
      const closed = yield* readNameUntil(block, '>')
      if (closed !== open.pop()?.tag) return yield* brokenOff(block, ticket, `</${closed ?? ''}> closes nothing`)
      if (open.length === 0) return report(ticket, root)
    } else {
      const tag = (yield* source.take('<')) ? yield* readNameUntil(block, '>') : undefined
      if (tag === undefined) return yield* brokenOff(block, ticket, 'something stands where an element should')
      const element = { tag, text: '', children: [] }
      open[open.length - 1].children.push(element)
      open.push(element)
      if (open.length > depthLimit) {
        return yield* brokenOff(block, ticket, `it is nested more than ${depthLimit} deep`)
      }
    }
  }
  yield* brokenOff(block, ticket, `it is longer than ${limit} characters`)
}

function* brokenOff(block: Block, ticket: CallTicket, message: string): Reading<void> {
  ticket.malformed(message)
  yield* skipBroken(block.source, { stops: [`${token}</invoke>`, `${token}</tool_call>`] })
  yield* takeMarked(block, '</invoke>')
}

const depthLimit = 100

/** Only outer closers may be missing at the end of the reply. */
function ended(ticket: CallTicket, open: readonly Element[]): void {
  if (open.length === 1) report(ticket, open[0])
  else ticket.malformed(`its element <${open[open.length - 1].tag}> does not end`)
}

function report(ticket: CallTicket, { children }: Element): void {
  const texts = children.map((child): [string, string] => {
    const value = elementValue(child)
    return [child.tag, typeof value === 'string' ? value : JSON.stringify(value)]
  })
  ticket.callWithText(texts, { texts: true })
}

const isItem = ({ tag }: Element): boolean => tag === 'item'

/** The text of an element, or what its elements make of it; the schema says what the texts are. */
function elementValue({ text, children }: Element): unknown {
  if (children.length === 0) return text
  return children.every(isItem) ? children.map(elementValue) : objectOf(children)
}

function objectOf(children: readonly Element[]): JsonObject {
  const object: JsonObject = {}
  for (const child of children) setMember(object, child.tag, elementValue(child))
  return object
}
