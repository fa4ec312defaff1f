import { type CallBuilder, callBuilder, firstSeen, type PendingCall, readArguments, takeCloser } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import { faults } from '../faults.js'
import { skipBroken } from '../literals.js'
import { failAndSkip, matchesOrEnds, readRawValue, skipDoubledOpener } from '../parameters.js'
import type { ParseGenerator } from '../source.js'

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

function* readBody(block: Block): ParseGenerator<void> {
  const { source } = block
  const builder = callBuilder(block)
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
    if (code === -1 || (yield* matchesOrEnds(block, closer)) || (yield* source.sees(opener, true))) break
    const tag = code === 60 ? yield* readOpeningTag(block) : undefined
    if (tag === undefined) {
      const found = JSON.stringify(String.fromCharCode(code))
      return yield* failAndSkip(block, builder, `${found} was found where an element was expected`, stops)
    }
    if (tag.toLowerCase() === 'args' && args === undefined && !isInArgs) {
      const next = yield* source.skipSpace()
      if (next === 60 && !(yield* source.sees(argsCloser, true))) {
        isInArgs = true
        continue
      }
      args = yield* readArgs(block, builder)
      if (args === undefined) return
      continue
    }
    const value = yield* readElement(block, tag)
    if (value === undefined) return yield* failAndSkip(block, builder, faults.unclosedElement(tag), stops)
    if (!isNamed && tag.toLowerCase() === 'name') {
      isNamed = true
      builder.setName(value)
    } else values.push([tag, value])
  }
  if (args && values.length === 0) args.complete()
  else if (args) builder.malformed('it has both <args> and other parameters')
  else builder.callWithText(values, { elements: true })
}

/** Reads the JSON object from after `<args>` to after `</args>`; undefined if it was reported as unreadable. */
function* readArgs(block: Block, builder: CallBuilder): ParseGenerator<PendingCall | undefined> {
  const { source } = block
  // The name may follow, so a fault is reported under the name that is known by then.
  const faults: string[] = []
  const held: CallBuilder = { ...builder, malformed: (message) => void faults.push(message) }
  const pending = yield* readArguments(block, held, [argsCloser, closer])
  if (pending === undefined) {
    yield* skipBroken(source, { stops })
    builder.malformed(faults[0] ?? '')
    return undefined
  }
  for (;;) {
    const code = yield* source.skipSpace()
    if ((yield* source.take(argsCloser, true)) || code === -1 || (yield* firstSeen(block, stops)) !== undefined) break
    if (!'}]>'.includes(String.fromCharCode(code))) {
      yield* failAndSkip(
        block,
        builder,
        `${JSON.stringify(String.fromCharCode(code))} was found where </args> was expected`,
        stops,
      )
      return undefined
    }
    source.at++
  }
  return pending
}

/** The text of an element, from after its opening tag to after its closing tag. */
function* readElement(block: Block, tag: string): ParseGenerator<string | undefined> {
  return yield* readRawValue(block.source, {
    closer: `</${tag}>`,
    nested: [`<${tag}>`, `<${tag} `],
    limit: block.limit,
    canContinue: () => canContinue(block),
    lastClosers: [closer],
  })
}

/** Checks the text after an element. */
function* canContinue(block: Block): ParseGenerator<boolean> {
  const { source } = block
  if (
    (yield* source.skipSpace()) === -1 ||
    (yield* matchesOrEnds(block, closer)) ||
    (yield* source.sees(argsCloser, true))
  ) {
    return true
  }
  if (yield* source.sees(opener, true)) return true
  return (yield* readOpeningTag(block)) !== undefined
}

/** Reads `<tag>`: its name, or undefined if there is none here. */
function* readOpeningTag({ source }: Block): ParseGenerator<string | undefined> {
  if (!(yield* source.take('<'))) return undefined
  let name = ''
  while (name.length < 100 && (yield* source.fill())) {
    const character = source.window.charAt(source.at)
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
