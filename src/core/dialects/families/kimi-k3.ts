import { parseJsonArgument } from '../argument-types.js'
import { type CallBuilder, callBuilder, readArguments } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import { faults } from '../faults.js'
import { failAndSkip, readRawValue } from '../parameters.js'
import type { ParseGenerator } from '../source.js'

const headLimit = 400

/**
 * Elements between tokens: `<|open|>tools<|sep|>` around `<|open|>call tool="NAME" index="1"<|sep|>` with one
 * `<|open|>argument key="K" type="string"<|sep|>V<|close|>argument<|sep|>` per parameter, or `json` with all of them.
 * The elements around visible text are not shown.
 */
export const kimiK3 = defineDialect({
  names: ['kimi_k3'],
  isFrame: true,
  markers: [{ text: '<|open|>' }, { text: '<|close|>' }, { text: '<|end_of_msg|>' }],

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

/** Reads from after the opening tag of a call. */
function* readCall(block: Block, { attributes }: Tag): ParseGenerator<void> {
  const { source } = block
  const builder = callBuilder(block)
  builder.setName(attributes.tool)
  const values: [string, unknown][] = []
  for (;;) {
    const code = yield* source.skipSpace()
    const argument = yield* takeTag(block, '<|open|>', 'argument')
    if (argument) {
      const value = yield* readValue(block, 'argument')
      if (value === undefined || argument.attributes.key === undefined) {
        return yield* brokenOff(block, builder, faults.unclosedArgument(argument.attributes.key))
      }
      values.push([argument.attributes.key, argument.attributes.type === 'string' ? value : parseJsonArgument(value)])
    } else if (values.length === 0 && (yield* takeTag(block, '<|open|>', 'json'))) {
      const call = yield* readArguments(block, builder, ['<|close|>'])
      yield* takeTag(block, '<|close|>', 'json')
      yield* takeTag(block, '<|close|>', 'call')
      return call?.complete()
    } else if (
      code === -1 ||
      (yield* takeTag(block, '<|close|>', 'call')) ||
      (yield* sees(block, '<|close|>', 'tools'))
    ) {
      return builder.callWithText([], { typed: values })
    } else return yield* brokenOff(block, builder, 'an argument was expected')
  }
}

function* brokenOff(block: Block, builder: CallBuilder, message: string): ParseGenerator<void> {
  yield* failAndSkip(block, builder, message, ['<|close|>call', '<|close|>tools', '<|open|>call'])
  yield* takeTag(block, '<|close|>', 'call')
}

/** The text of an element, from after its opening tag to after its closing tag. */
function* readValue(block: Block, name: string): ParseGenerator<string | undefined> {
  const { source, limit } = block
  const closer = `<|close|>${name}<|sep|>`
  return yield* readRawValue(source, {
    closer,
    nested: [`<|open|>${name} `],
    limit,
    isVerbatim: true,
    *canContinue() {
      if ((yield* source.skipSpace()) === -1) return true
      return (yield* sees(block, '<|open|>', name)) || (yield* sees(block, '<|close|>', 'call'))
    },
    lastClosers: ['<|close|>call<|sep|>', '<|close|>tools<|sep|>'],
  })
}

function* sees(block: Block, mark: string, name: string): ParseGenerator<boolean> {
  const { source } = block
  const here = source.mark()
  const tag = yield* takeTag(block, mark, name)
  source.rewind(here)
  return tag !== undefined
}

/** Takes the next tag and the white space before it, if it has that name. */
function* takeTag(block: Block, mark: string, name: string): ParseGenerator<Tag | undefined> {
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

/**
 * Reads name and attributes from after `<|open|>` or `<|close|>` to after `<|sep|>`. Some servers put spaces around
 * tokens.
 */
function* readTag({ source }: Block): ParseGenerator<Tag | undefined> {
  let head = ''
  while (head.length < headLimit && (yield* source.fill())) {
    const character = source.window.charAt(source.at)
    if (character === '<') {
      if (!(yield* source.take('<|sep|>'))) return undefined
      const name = /^\s*(\w+)\s*/.exec(head)?.[1]
      const attributes = [...head.matchAll(/([\w-]+)="([^"]*)"/g)].map(
        ([, key = '', value = '']) => [key, decoded(value)] as const,
      )
      return name ? { name, attributes: Object.fromEntries(attributes) } : undefined
    }
    if (character === '\n') return undefined
    head += character
    source.at++
  }
  return undefined
}

const decoded = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
