import { type CallBuilder, callBuilder } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import type { JsonObject } from '../events.js'
import { faults } from '../faults.js'
import { readUntil, setMember, skipBroken } from '../literals.js'
import { readElements, readNameUntil } from '../parameters.js'
import type { ParseGenerator } from '../source.js'

/** The token before every tag of a call, so that tags in values are text. */
const token = ']<]minimax[>['
const invokeOpener = '<invoke name="'

/**
 * `]<]minimax[>[<tool_call>` around invokes with one element per parameter, each tag after the token. Arrays are
 * `<item>` elements, objects are nested elements.
 */
export const minimaxM3 = defineDialect({
  names: ['minimax_m3'],
  // Servers that drop special tokens leave only the tags.
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

function* readWithoutTokens(block: Block): ParseGenerator<boolean> {
  const { source } = block
  yield* source.skipSpace()
  if (!(yield* source.take(invokeOpener))) return false
  block.commit()
  do {
    const builder = callBuilder(block)
    builder.setName(yield* readNameUntil(block, '"'))
    yield* source.take('>')
    yield* readElements(block, builder, '</invoke>')
    yield* takeTag(block, '</invoke>')
  } while (yield* takeTag(block, invokeOpener))
  yield* takeTag(block, '</tool_call>')
  return true
}

/** Takes a tag and the white space before it. */
function* takeTag({ source }: Block, tag: string): ParseGenerator<boolean> {
  const mark = source.mark()
  yield* source.skipSpace()
  const isThere = yield* source.take(tag)
  if (isThere) source.release()
  else source.rewind(mark)
  return isThere
}

function* takeMarked(block: Block, tag: string): ParseGenerator<boolean> {
  const { source } = block
  const mark = source.mark()
  const isThere = (yield* takeTag(block, token)) && (yield* takeTag(block, tag))
  if (isThere) source.release()
  else source.rewind(mark)
  return isThere
}

/** An element while it is read: text, or nested elements. */
interface Element {
  tag: string
  text: string
  children: Element[]
}

/** Reads from after `<invoke name="`. */
function* readInvoke(block: Block): ParseGenerator<void> {
  const { source, limit } = block
  const builder = callBuilder(block)
  builder.setName(yield* readNameUntil(block, '"'))
  yield* source.take('>')
  const root: Element = { tag: 'invoke', text: '', children: [] }
  const open = [root]
  for (let length = 0; length <= limit; ) {
    const text = yield* readUntil(source, token, limit)
    // The last text ends with the reply, in the middle of a value or after it.
    if ('problem' in text) {
      if (text.problem === 'broken') return yield* brokenOff(block, builder, text.message)
      return ended(builder, open)
    }
    length += text.value.length + token.length
    const inner = open.at(-1) ?? root
    inner.text += text.value
    yield* source.skipSpace()
    if (yield* source.take('</')) {
      const closed = yield* readNameUntil(block, '>')
      if (closed !== open.pop()?.tag) return yield* brokenOff(block, builder, `</${closed ?? ''}> has no opening tag`)
      if (open.length === 0) return report(builder, root)
    } else {
      const tag = (yield* source.take('<')) ? yield* readNameUntil(block, '>') : undefined
      if (tag === undefined) return yield* brokenOff(block, builder, 'an element was expected')
      const element = { tag, text: '', children: [] }
      inner.children.push(element)
      open.push(element)
      if (open.length > depthLimit) {
        return yield* brokenOff(block, builder, faults.tooDeep(depthLimit))
      }
    }
  }
  yield* brokenOff(block, builder, faults.tooLong(limit))
}

function* brokenOff(block: Block, builder: CallBuilder, message: string): ParseGenerator<void> {
  builder.malformed(message)
  yield* skipBroken(block.source, { stops: [`${token}</invoke>`, `${token}</tool_call>`] })
  yield* takeMarked(block, '</invoke>')
}

const depthLimit = 100

/** At the end of the reply only outer closers may be missing. */
function ended(builder: CallBuilder, open: readonly Element[]): void {
  const [root, ...nested] = open
  const inner = nested.at(-1)
  if (inner) builder.malformed(faults.unclosedElement(inner.tag))
  else if (root) report(builder, root)
}

function report(builder: CallBuilder, { children }: Element): void {
  const texts = children.map((child): [string, string] => {
    const value = elementValue(child)
    return [child.tag, typeof value === 'string' ? value : JSON.stringify(value)]
  })
  builder.callWithText(texts, { texts: true })
}

const isItem = ({ tag }: Element): boolean => tag === 'item'

/** The text of an element, or the array or object of its children; the schema decides the types of the texts. */
function elementValue({ text, children }: Element): unknown {
  if (children.length === 0) return text
  return children.every(isItem) ? children.map(elementValue) : objectOf(children)
}

function objectOf(children: readonly Element[]): JsonObject {
  const object: JsonObject = {}
  for (const child of children) setMember(object, child.tag, elementValue(child))
  return object
}
