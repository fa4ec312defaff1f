import { type CallTicket, callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import type { Reading } from '../source.js'
import { readArguments } from '../values/read-calls.js'
import { readRawValue } from '../values/read-raw-value.js'
import { parseJson } from '../values/type-value.js'
import { breakOff } from './parameter-list.js'

const headLimit = 400

/**
 * Elements between tokens: `<|open|>tools<|sep|>` around `<|open|>call tool="NAME" index="1"<|sep|>` with one
 * `<|open|>argument key="K" type="string"<|sep|>V<|close|>argument<|sep|>` a parameter, or `json` with all of them.
 * The elements around visible text are not shown.
 */
export const kimiK3 = defineDialect({
  names: ['kimi_k3'],
  isFrame: true,
  markers: ['<|open|>', '<|close|>', '<|end_of_msg|>'].map((text) => ({ text })),

  *read(block, { text }) {
    if (text === '<|end_of_msg|>') return true
    const tag = yield* readTag(block)
    if (tag === undefined) return false
    if (text === '<|close|>') return ['response', 'message', 'tools'].includes(tag.name)
    if (tag.name === 'response' || tag.name === 'message') return true
    if (!block.offersTools) return false
    if (tag.name === 'call' && tag.attributes.tool !== undefined) {
      block.commit()
      yield* readCall(block, tag)
    } else if (tag.name !== 'tools' || !(yield* sees(block, '<|open|>', 'call'))) return false
    block.commit()
    for (let next = yield* takeTag(block, '<|open|>', 'call'); next; next = yield* takeTag(block, '<|open|>', 'call')) {
      yield* readCall(block, next)
    }
    yield* takeTag(block, '<|close|>', 'tools')
    return true
  },
})

interface Tag {
  name: string
  attributes: Record<string, string>
}

/** Reads from behind the opening tag of a call. */
function* readCall(block: Block, { attributes }: Tag): Reading<void> {
  const { source } = block
  const ticket = callTicket(block)
  ticket.named(attributes.tool)
  const values: [string, unknown][] = []
  for (;;) {
    const code = yield* source.skipSpace()
    const argument = yield* takeTag(block, '<|open|>', 'argument')
    if (argument) {
      const value = yield* readValue(block, 'argument')
      if (value === undefined || argument.attributes.key === undefined) {
        return yield* brokenOff(block, ticket, `its argument ${argument.attributes.key ?? ''} does not end`)
      }
      values.push([argument.attributes.key, argument.attributes.type === 'string' ? value : parseJson(value)])
    } else if (values.length === 0 && (yield* takeTag(block, '<|open|>', 'json'))) {
      const call = yield* readArguments(block, ticket, ['<|close|>'])
      yield* takeTag(block, '<|close|>', 'json')
      yield* takeTag(block, '<|close|>', 'call')
      return call?.complete()
    } else if (
      code === -1 ||
      (yield* takeTag(block, '<|close|>', 'call')) ||
      (yield* sees(block, '<|close|>', 'tools'))
    ) {
      return ticket.callWithText([], { typed: values })
    } else return yield* brokenOff(block, ticket, 'something stands where an argument should')
  }
}

function* brokenOff(block: Block, ticket: CallTicket, message: string): Reading<void> {
  yield* breakOff(block, ticket, message, ['<|close|>call', '<|close|>tools', '<|open|>call'])
  yield* takeTag(block, '<|close|>', 'call')
}

/** The text of an element, from behind its opening tag to behind its closing one. */
function* readValue(block: Block, name: string): Reading<string | undefined> {
  const { source, limit } = block
  const closer = `<|close|>${name}<|sep|>`
  return yield* readRawValue(source, {
    closer,
    nested: [`<|open|>${name} `],
    limit,
    isVerbatim: true,
    *goesOn() {
      if ((yield* source.skipSpace()) === -1) return true
      return (yield* sees(block, '<|open|>', name)) || (yield* sees(block, '<|close|>', 'call'))
    },
    lastClosers: ['<|close|>call<|sep|>', '<|close|>tools<|sep|>'],
  })
}

function* sees(block: Block, mark: string, name: string): Reading<boolean> {
  const { source } = block
  const here = source.mark()
  const tag = yield* takeTag(block, mark, name)
  source.rewind(here)
  return tag !== undefined
}

/** The tag that comes next, white space before it included, if it has that name. */
function* takeTag(block: Block, mark: string, name: string): Reading<Tag | undefined> {
  const { source } = block
  const here = source.mark()
  yield* source.skipSpace()
  const tag = (yield* source.take(mark)) ? yield* readTag(block) : undefined
  if (tag?.name === name) {
    source.release()
    return tag
  }
  source.rewind(here)
  return undefined
}

/** Name and attributes from behind `<|open|>` or `<|close|>` to behind `<|sep|>`. Some servers put spaces around tokens. */
function* readTag({ source }: Block): Reading<Tag | undefined> {
  let head = ''
  while (head.length < headLimit && (yield* source.fill())) {
    const character = source.window[source.at]
    if (character === '<') {
      if (!(yield* source.take('<|sep|>'))) return undefined
      const name = /^\s*(\w+)\s*/.exec(head)
      const attributes = [...head.matchAll(/([\w-]+)="([^"]*)"/g)].map(
        ([, key, value]) => [key, decoded(value)] as const,
      )
      return name ? { name: name[1], attributes: Object.fromEntries(attributes) } : undefined
    }
    if (character === '\n') return undefined
    head += character
    source.at++
  }
  return undefined
}

const decoded = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
