// Reads calls whose parameters are tags with raw text, a form that many dialects share.

import { type CallBuilder, callBuilder, takeCloser } from './calls.js'
import type { Block } from './dialect.js'
import { faults } from './faults.js'
import { indexBefore, skipBroken } from './literals.js'
import type { ParseGenerator, TextSource } from './source.js'

const nameLimit = 200

/** Reads a name and its end; undefined if the end does not come soon. A name contains no line break and no tag. */
export function* readNameUntil({ source }: Pick<Block, 'source'>, end: string): ParseGenerator<string | undefined> {
  let name = ''
  while (name.length < nameLimit && (yield* source.fill())) {
    const character = source.window.charAt(source.at)
    if (character === end[0] && (yield* source.take(end, true))) return name.trim()
    if (character === '<' || character === '\n') return undefined
    name += character
    source.at++
  }
  return undefined
}

/** Skips an opening tag that was written twice, and white space. */
export function* skipDoubledOpener({ source }: Pick<Block, 'source'>, opener: string): ParseGenerator<void> {
  yield* source.skipSpace()
  if (yield* source.take(opener, true)) yield* source.skipSpace()
}

/** True if the text comes next, or its beginning ends the reply. */
export function* matchesOrEnds({ source }: Pick<Block, 'source'>, text: string): ParseGenerator<boolean> {
  const seen = yield* source.compare(text, true)
  return seen === 'yes' || (seen === 'cut' && source.window.length - source.at > 1)
}

/** Reports a broken list of parameters and skips to a stop. */
export function* failAndSkip(
  block: Block,
  builder: CallBuilder,
  message: string,
  stops: readonly string[],
): ParseGenerator<void> {
  builder.malformed(message)
  yield* skipBroken(block.source, { stops })
}

/** A parameter with a raw text value, and how to recognise the next one. */
interface ParameterForm {
  /** Closes a parameter. */
  closer: string
  /** Opens any parameter, up to its name. */
  opener: string
  /** Reads the rest of an opening tag and returns the name in it. */
  readName(): ParseGenerator<string | undefined>
  /** True if the grammar can continue after a closing tag. */
  canContinue(): ParseGenerator<boolean>
}

/** Checking every tag that is only mentioned would take too long. */
const maxChecks = 8
const lineTail = 200

/**
 * Returns a check whether the tag here opens the next parameter, so that the previous one was not closed. Its name
 * must be a parameter of the tool that is not given yet, it must not stand within a sentence, and the list must
 * continue after its end.
 */
export function nextParameter(block: Block, tool: string, given: readonly string[], form: ParameterForm) {
  const { source } = block
  const known = Object.keys(block.find(tool)?.inputSchema.properties ?? {})
  const missing = known.filter((key) => !given.includes(key))
  let questions = 0
  return function* (value: () => string): ParseGenerator<boolean> {
    if (missing.length === 0 || ++questions > maxChecks) return false
    source.at += form.opener.length
    const name = yield* form.readName()
    if (name === undefined || !missing.includes(name) || /[^\n\s][ \t]+$/.test(value().slice(-lineTail))) return false
    if (!(yield* skipToTag(source, [form.closer, form.opener], block.limit))) return false
    return !(yield* source.take(form.closer, true)) || (yield* form.canContinue())
  }
}

/** Skips text up to the first of these tags; false if none comes. */
function* skipToTag(source: TextSource, tags: readonly string[], limit: number): ParseGenerator<boolean> {
  const start = source.offset
  const [first = ''] = tags
  while ((yield* source.fill()) && source.offset - start <= limit) {
    const found = source.window.indexOf(first.charAt(0), source.at)
    source.at = found === -1 ? source.window.length : found
    if (found === -1) continue
    for (const tag of tags) if (yield* source.sees(tag, true)) return true
    source.at++
  }
  return false
}

interface RawValueOptions {
  /** The value's own closing tag. */
  closer: string
  /** Starts of a nested element of the same name. */
  nested: readonly string[]
  limit: number
  /** True if the grammar can continue after a closing tag. Called after it; the position is restored afterwards. */
  canContinue: () => ParseGenerator<boolean>
  /** The closing tags that follow the last value. */
  lastClosers: readonly string[]
  /** Line breaks next to the tags belong to the value. */
  isVerbatim?: boolean
  /**
   * True if what looks nested is the next value, because the closing tag was forgotten. Called before it, with the
   * value so far; the position is restored afterwards.
   */
  startsNext?: (value: () => string) => ParseGenerator<boolean>
}

/** Reads text up to its closing tag: the first one that is not nested and after which the grammar continues. */
export function* readRawValue(source: TextSource, shape: RawValueOptions): ParseGenerator<string | undefined> {
  const { closer, nested, limit, startsNext } = shape
  const pieces: string[] = []
  let length = 0
  let depth = 0
  const keep = (text: string): void => {
    pieces.push(text)
    length += text.length
  }
  while (yield* source.fill()) {
    // Gives up at the same character however the reply is cut.
    const last = Math.min(source.window.length, source.at + Math.max(0, limit - length) + 1)
    const found = indexBefore(source.window, '<', source.at, last)
    const textEnd = found === -1 ? last : found
    keep(source.window.slice(source.at, textEnd))
    source.at = textEnd
    if (length > limit) return undefined
    if (found === -1) continue
    const end = source.compareNow(closer, true)
    if (end === 'yes' || (end === 'unknown' && (yield* source.sees(closer, true)))) {
      const tag = source.window.slice(source.at, source.at + closer.length)
      source.at += closer.length
      if (depth > 0) depth--
      else if (yield* checkAhead(source, shape.canContinue)) return layoutOf(shape)(pieces.join(''))
      keep(tag)
      continue
    }
    for (const opener of nested) {
      const start = source.compareNow(opener, true)
      if (start === 'yes' || (start === 'unknown' && (yield* source.sees(opener, true)))) {
        const value = (): string => pieces.join('')
        if (depth === 0 && startsNext && (yield* checkAhead(source, () => startsNext(value)))) {
          return withoutLayout(value())
        }
        depth++
        break
      }
    }
    keep('<')
    source.at++
  }
  return valueBeforeLastClosers(pieces.join(''), shape)
}

/** Runs a check on the following text and restores the position. */
function* checkAhead(source: TextSource, question: () => ParseGenerator<boolean>): ParseGenerator<boolean> {
  const mark = source.mark()
  const answer = yield* question()
  source.rewind(mark)
  return answer
}

/** Handles a tag of the same name that was only mentioned: unambiguous if the closers occur once, at the very end. */
function valueBeforeLastClosers(text: string, shape: RawValueOptions): string | undefined {
  const { closer, lastClosers } = shape
  const ending = [closer, ...lastClosers].map((tag) => tag.replace(/[^\w]/g, '\\$&')).join('\\s*')
  const found = new RegExp(ending, 'i').exec(text)
  if (!found || text.slice(found.index + found[0].length).trim() !== '') return undefined
  return layoutOf(shape)(text.slice(0, found.index))
}

const layoutOf = ({ isVerbatim }: RawValueOptions) => (isVerbatim ? (text: string) => text : withoutLayout)

/** One line break after the opening tag and one before the closing tag belong to the layout. */
function withoutLayout(text: string): string {
  const start = text.startsWith('\r\n') ? 2 : text.startsWith('\n') ? 1 : 0
  const end = text.endsWith('\r\n') ? 2 : text.endsWith('\n') ? 1 : 0
  return text.slice(start, Math.max(start, text.length - end))
}

export const nameCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-'

/** Reads one element per parameter, up to the tag that ends them. */
export function* readElements(block: Block, builder: CallBuilder, closer: string): ParseGenerator<void> {
  const { source, limit } = block
  const values: [string, string][] = []
  for (;;) {
    const code = yield* source.skipSpace()
    if (code === -1 || (yield* matchesOrEnds(block, closer)))
      return builder.callWithText(values, { elements: true, repeats: true })
    const tag = code === 60 ? yield* readWholeTag(block) : undefined
    if (tag === undefined) return yield* failAndSkip(block, builder, 'an element was expected', [closer])
    const shape = {
      closer: `</${tag.name}>`,
      nested: [`<${tag.name}>`],
      limit,
      canContinue: () => elementsContinue(block, closer),
      lastClosers: [closer],
    }
    const value = tag.isClosed ? '' : yield* readRawValue(source, shape)
    if (value === undefined) return yield* failAndSkip(block, builder, faults.unclosedElement(tag.name), [closer])
    values.push([tag.name, value])
  }
}

function* elementsContinue(block: Block, closer: string): ParseGenerator<boolean> {
  if ((yield* block.source.skipSpace()) === -1 || (yield* matchesOrEnds(block, closer))) return true
  return (yield* readWholeTag(block)) !== undefined
}

interface Tag {
  name: string
  isClosed: boolean
}

function* readWholeTag(block: Block): ParseGenerator<Tag | undefined> {
  return (yield* block.source.take('<')) ? yield* readTag(block) : undefined
}

/** Reads `<name>` or `<name/>`, from after its first character. */
export function* readTag({ source }: Block): ParseGenerator<Tag | undefined> {
  let name = ''
  while (name.length < 200 && (yield* source.fill())) {
    const character = source.window.charAt(source.at)
    if (name !== '' && character === '>') {
      source.at++
      return { name, isClosed: false }
    }
    if (name !== '' && (character === '/' || character === ' ')) {
      yield* source.skipSpace()
      return (yield* source.take('/>')) ? { name, isClosed: true } : undefined
    }
    if (!nameCharacters.includes(character)) return undefined
    name += character
    source.at++
  }
  return undefined
}

/**
 * Reads a call whose arguments are pairs of key and value, from after its opening tag. All tags may end in a suffix;
 * `<tool_sep>` may follow the name. `outer`: the closing tags that follow the last call.
 */
export function* readKeyedCall(block: Block, suffix: string, outer: readonly string[] = []): ParseGenerator<boolean> {
  const { source, limit } = block
  const tag = (name: string): string => `<${name}${suffix}>`
  const [opener, closer] = [tag('tool_call'), tag('/tool_call')]
  yield* skipDoubledOpener(block, opener)
  const name = yield* readToolName(block)
  yield* source.skipSpace()
  if (name === '') return false
  const isParted = yield* source.take(tag('tool_sep'))
  yield* source.skipSpace()
  if (!isParted && !((yield* source.sees(tag('arg_key'))) || (yield* source.sees(closer, true)))) return false
  block.commit()
  const builder = callBuilder(block)
  builder.setName(name)
  const values: [string, string][] = []
  for (;;) {
    const code = yield* source.skipSpace()
    if (yield* source.take(tag('arg_key'))) {
      const key = yield* readNameUntil(block, tag('/arg_key'))
      yield* source.skipSpace()
      const hasValue = key !== undefined && (yield* source.take(tag('arg_value')))
      const shape = {
        closer: tag('/arg_value'),
        nested: [tag('arg_value')],
        limit,
        canContinue: () => pairsContinue(block, tag('arg_key'), closer),
        lastClosers: [closer, ...outer],
      }
      const value = hasValue ? yield* readRawValue(source, shape) : undefined
      if (key !== undefined && value !== undefined) {
        values.push([key, value])
        continue
      }
      yield* failAndSkip(block, builder, faults.unclosedArgument(key), [closer, opener])
    } else if (code === -1 || (yield* matchesOrEnds(block, closer)) || (yield* source.sees(opener, true))) {
      builder.callWithText(values)
    } else {
      const found = JSON.stringify(String.fromCharCode(code))
      yield* failAndSkip(block, builder, `${found} was found where <arg_key> was expected`, [closer, opener])
    }
    yield* takeCloser(block, [closer])
    return true
  }
}

function* readToolName({ source }: Block): ParseGenerator<string> {
  let name = ''
  while (name.length < 200 && (yield* source.fill())) {
    const character = source.window.charAt(source.at)
    if (!/[\w.:/-]/.test(character)) break
    name += character
    source.at++
  }
  return name
}

/** Checks the text after `</arg_value>`. */
function* pairsContinue(block: Block, keyOpener: string, closer: string): ParseGenerator<boolean> {
  if ((yield* block.source.skipSpace()) === -1) return true
  return (yield* block.source.sees(keyOpener)) || (yield* matchesOrEnds(block, closer))
}
