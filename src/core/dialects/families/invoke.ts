import { parseJsonArgument, parseStructure } from '../argument-types.js'
import { callBuilder, endBlock, readArguments, takeCloser } from '../calls.js'
import { type Block, defineDialect, type Marker } from '../dialect.js'
import type { JsonObject } from '../events.js'
import { faults } from '../faults.js'
import { failAndSkip, matchesOrEnds, nextParameter, readNameUntil, readRawValue } from '../parameters.js'
import type { ParseGenerator } from '../source.js'

/** The tags of one dialect: `<PREFIXinvoke …>` inside `<WRAPPER>`. */
interface Tags {
  wrapper: string
  prefix: string
  /** The wrapper is missing, so anything may follow. */
  isBare?: boolean
}

const minimaxTags = [{ wrapper: 'minimax:tool_call', prefix: '' }]
const anthropicTags = [
  { wrapper: 'function_calls', prefix: '' },
  { wrapper: 'antml:function_calls', prefix: 'antml:' },
]
const dsmlTags = [
  { wrapper: '｜DSML｜function_calls', prefix: '｜DSML｜' },
  { wrapper: '｜DSML｜tool_calls', prefix: '｜DSML｜' },
]

export const minimax = defineDialect({ names: ['minimax_m2'], ...invokeDialect(minimaxTags) })
export const anthropicInvoke = defineDialect({ names: ['anthropic_invoke'], ...invokeDialect(anthropicTags) })
/**
 * V3.2 and V4 differ only in the wrapper. Their tags are tokens of their own, so an invoke also counts without the
 * wrapper.
 */
export const deepseekDsml = defineDialect({
  names: ['deepseek_v32_dsml', 'deepseek_v4_dsml'],
  ...invokeDialect(dsmlTags, { text: '<｜DSML｜invoke', next: ' ' }),
})

/** A dialect with invokes and parameters inside a wrapper. */
function invokeDialect(all: Tags[], bare?: Marker) {
  const markers: Marker[] = all.map(({ wrapper }) => ({ text: `<${wrapper}`, tag: true }))
  return {
    markers: bare ? [...markers, bare] : markers,
    *read(block: Block, marker: Marker): ParseGenerator<boolean> {
      const { source } = block
      if (marker === bare) return yield* readBareInvokes(block, all)
      const wrapper = marker.text.slice(1)
      // Every other marker is the start of one of the wrappers.
      const tags = all.find((one) => one.wrapper === wrapper)!
      const opener = `<${tags.prefix}invoke `
      yield* source.skipSpace()
      if (!(yield* source.sees(opener))) return false
      block.commit()
      while (yield* source.take(opener)) {
        yield* readInvoke(block, tags)
        yield* source.skipSpace()
      }
      yield* takeCloser(block, [`</${wrapper}>`])
      return true
    },
  }
}

/** Reads invokes without their wrapper, whose closing tag may still be there. Starts after the first tag's name. */
function* readBareInvokes(block: Block, all: readonly Tags[]): ParseGenerator<boolean> {
  const { source } = block
  const here = source.mark()
  const attributes = yield* readAttributes(block)
  source.rewind(here)
  const [first] = all
  if (first === undefined || attributes?.name === undefined) return false
  block.commit()
  const tags = { ...first, isBare: true }
  yield* readInvoke(block, tags)
  for (;;) {
    const mark = source.mark()
    yield* source.skipSpace()
    const isNext = yield* source.take(`<${tags.prefix}invoke `)
    if (!isNext) {
      let isClosed = false
      for (const { wrapper } of all) isClosed ||= yield* source.take(`</${wrapper}>`, true)
      if (isClosed) source.release()
      else source.rewind(mark)
      return true
    }
    source.release()
    yield* readInvoke(block, tags)
  }
}

/** Reads from after `<invoke `. */
function* readInvoke(block: Block, tags: Tags): ParseGenerator<void> {
  const { source } = block
  const closer = `</${tags.prefix}invoke>`
  const stops = [closer, `</${tags.wrapper}>`, `<${tags.prefix}invoke `]
  const opener = `<${tags.prefix}parameter `
  const builder = callBuilder(block)
  const attributes = yield* readAttributes(block)
  if (attributes?.name === undefined) {
    yield* failAndSkip(block, builder, 'it has no name', stops)
    return yield* takeCloser(block, [closer])
  }
  builder.setName(attributes.name)
  if (attributes.isClosed) return builder.call(undefined)
  const texts: [string, string][] = []
  const typed: [string, unknown][] = []
  for (;;) {
    const code = yield* source.skipSpace()
    if (yield* source.take(opener)) {
      const parameter = yield* readAttributes(block)
      const value =
        parameter?.name === undefined
          ? undefined
          : parameter.isClosed
            ? ''
            : yield* readParameter(
                block,
                tags,
                attributes.name,
                [...texts, ...typed].map(([key]) => key).concat(parameter.name),
              )
      if (parameter?.name === undefined || value === undefined) {
        yield* failAndSkip(block, builder, faults.unclosedParameter(parameter?.name), stops)
        return yield* takeCloser(block, [closer])
      }
      if (parameter.string === undefined) texts.push([parameter.name, value])
      else typed.push([parameter.name, parameter.string === 'true' ? value : parseJsonArgument(value)])
    } else if (code === 123 && texts.length + typed.length === 0) {
      return yield* endBlock(
        block,
        { closers: [closer], openers: stops.slice(1) },
        yield* readArguments(block, builder, stops),
      )
    } else if (code === -1 || (yield* seesOneOf(block, stops))) {
      const wrapped = wrappedArguments(block, attributes.name, [...texts, ...typed])
      if (wrapped) builder.call(wrapped)
      else builder.callWithText(texts, { typed })
      return yield* takeCloser(block, [closer])
    } else {
      yield* failAndSkip(block, builder, faults.noParameter(code), stops)
      return yield* takeCloser(block, [closer])
    }
  }
}

/** Unwraps arguments written as one object in a parameter that the tool does not have. */
function wrappedArguments(block: Block, tool: string, values: readonly [string, unknown][]): unknown {
  const [[key, value] = ['', undefined], ...others] = values
  const known = (block.find(tool)?.inputSchema.properties ?? {}) as JsonObject
  if (others.length > 0 || !argumentNames.includes(key) || Object.hasOwn(known, key)) return undefined
  const object = typeof value === 'string' ? parseStructure(value.trim()) : value
  return typeof object === 'object' && object !== null && !Array.isArray(object) ? object : undefined
}

const argumentNames = ['arguments', 'parameters', 'input']

function* readParameter(
  block: Block,
  tags: Tags,
  tool: string,
  given: readonly string[],
): ParseGenerator<string | undefined> {
  const { prefix, wrapper } = tags
  const closer = `</${prefix}parameter>`
  const opener = `<${prefix}parameter `
  return yield* readRawValue(block.source, {
    closer,
    nested: [opener],
    limit: block.limit,
    canContinue: () => canContinue(block, tags),
    lastClosers: [`</${prefix}invoke>`, `</${wrapper}>`],
    startsNext: nextParameter(block, tool, given, {
      closer,
      opener,
      *readName() {
        return (yield* readAttributes(block))?.name
      },
      canContinue: () => canContinue(block, tags),
    }),
  })
}

/** Checks the text after `</parameter>`. */
function* canContinue(block: Block, { prefix, wrapper, isBare }: Tags): ParseGenerator<boolean> {
  const { source } = block
  if ((yield* source.skipSpace()) === -1 || (yield* source.sees(`<${prefix}parameter `))) return true
  if (yield* matchesOrEnds(block, `</${wrapper}>`)) return true
  if (!(yield* source.take(`</${prefix}invoke>`, true))) return yield* matchesOrEnds(block, `</${prefix}invoke>`)
  if (isBare || (yield* source.skipSpace()) === -1) return true
  return yield* seesOneOf(block, [`</${wrapper}>`, `<${prefix}invoke `])
}

function* seesOneOf(block: Block, texts: readonly string[]): ParseGenerator<boolean> {
  for (const text of texts) if (yield* matchesOrEnds(block, text)) return true
  return false
}

interface Attributes {
  name?: string
  string?: string
  /** The tag ends with `/>`. */
  isClosed: boolean
}

/** Reads attributes up to the end of the tag. */
function* readAttributes(block: Block): ParseGenerator<Attributes | undefined> {
  const text = yield* readNameUntil(block, '>')
  if (text === undefined) return undefined
  const attributes: Attributes = { isClosed: text.endsWith('/') }
  for (const [, key, double, single] of text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (key === 'name') attributes.name ??= (double ?? single ?? '').trim()
    if (key === 'string') attributes.string ??= double ?? single ?? ''
  }
  return attributes
}
