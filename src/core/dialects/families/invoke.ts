import { callTicket } from '../call-ticket.js'
import { type Block, defineDialect, type Marker } from '../dialect.js'
import type { JsonObject } from '../reader-event.js'
import type { Reading } from '../source.js'
import { endBlock, readArguments, takeCloser } from '../values/read-calls.js'
import { readRawValue } from '../values/read-raw-value.js'
import { parseJson, parseStructure } from '../values/type-value.js'
import { breakOff, nextParameter, readNameUntil, seesOrCut } from './parameter-list.js'

/** The tags of one dialect: `<PREFIXinvoke …>` inside `<WRAPPER>`. */
interface Tags {
  wrapper: string
  prefix: string
  /** The wrapper was left out, so that anything may follow. */
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
/** V3.2 and V4 differ in the wrapper alone. Their tags are tokens of their own, so that an invoke counts without one too. */
export const deepseekDsml = defineDialect({
  names: ['deepseek_v32_dsml', 'deepseek_v4_dsml'],
  ...invokeDialect(dsmlTags, { text: '<｜DSML｜invoke', next: ' ' }),
})

/** A wrapper around invokes with parameters. */
function invokeDialect(all: Tags[], bare?: Marker) {
  const markers: Marker[] = all.map(({ wrapper }) => ({ text: `<${wrapper}`, tag: true }))
  return {
    markers: bare ? [...markers, bare] : markers,
    *read(block: Block, marker: Marker): Reading<boolean> {
      const { source } = block
      if (marker === bare) return yield* readBareInvokes(block, all)
      const wrapper = marker.text.slice(1)
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

/** Invokes without their wrapper, whose closing tag may be there all the same. From behind the first one's tag name. */
function* readBareInvokes(block: Block, all: readonly Tags[]): Reading<boolean> {
  const { source } = block
  const here = source.mark()
  const attributes = yield* readAttributes(block)
  source.rewind(here)
  if (attributes?.name === undefined) return false
  block.commit()
  const tags = { ...all[0], isBare: true }
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

/** Reads from behind `<invoke `. */
function* readInvoke(block: Block, tags: Tags): Reading<void> {
  const { source } = block
  const closer = `</${tags.prefix}invoke>`
  const stops = [closer, `</${tags.wrapper}>`, `<${tags.prefix}invoke `]
  const opener = `<${tags.prefix}parameter `
  const ticket = callTicket(block)
  const attributes = yield* readAttributes(block)
  if (attributes?.name === undefined) {
    yield* breakOff(block, ticket, 'it has no name', stops)
    return yield* takeCloser(block, [closer])
  }
  ticket.named(attributes.name)
  if (attributes.isClosed) return ticket.call(undefined)
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
        yield* breakOff(block, ticket, `its parameter ${parameter?.name ?? ''} does not end`, stops)
        return yield* takeCloser(block, [closer])
      }
      if (parameter.string === undefined) texts.push([parameter.name, value])
      else typed.push([parameter.name, parameter.string === 'true' ? value : parseJson(value)])
    } else if (code === 123 && texts.length + typed.length === 0) {
      return yield* endBlock(
        block,
        { closers: [closer], openers: stops.slice(1) },
        yield* readArguments(block, ticket, stops),
      )
    } else if (code === -1 || (yield* seesOneOf(block, stops))) {
      const wrapped = wrappedArguments(block, attributes.name, [...texts, ...typed])
      if (wrapped) ticket.call(wrapped)
      else ticket.callWithText(texts, { typed })
      return yield* takeCloser(block, [closer])
    } else {
      const found = JSON.stringify(String.fromCharCode(code))
      yield* breakOff(block, ticket, `${found} stands where a parameter should`, stops)
      return yield* takeCloser(block, [closer])
    }
  }
}

/** All arguments as one object in a parameter that the tool does not have: they are what is in it. */
function wrappedArguments(block: Block, tool: string, values: readonly [string, unknown][]): unknown {
  const [[key, value] = ['', undefined], ...others] = values
  const known = (block.find(tool)?.inputSchema.properties ?? {}) as JsonObject
  if (others.length > 0 || !argumentNames.includes(key) || Object.hasOwn(known, key)) return undefined
  const object = typeof value === 'string' ? parseStructure(value.trim()) : value
  return typeof object === 'object' && object !== null && !Array.isArray(object) ? object : undefined
}

const argumentNames = ['arguments', 'parameters', 'input']

function* readParameter(block: Block, tags: Tags, tool: string, given: readonly string[]): Reading<string | undefined> {
  const { prefix, wrapper } = tags
  const closer = `</${prefix}parameter>`
  const opener = `<${prefix}parameter `
  return yield* readRawValue(block.source, {
    closer,
    nested: [opener],
    limit: block.limit,
    goesOn: () => goesOn(block, tags),
    lastClosers: [`</${prefix}invoke>`, `</${wrapper}>`],
    startsNext: nextParameter(block, tool, given, {
      closer,
      opener,
      *readName() {
        return (yield* readAttributes(block))?.name
      },
      goesOn: () => goesOn(block, tags),
    }),
  })
}

/** Behind `</parameter>`. */
function* goesOn(block: Block, { prefix, wrapper, isBare }: Tags): Reading<boolean> {
  const { source } = block
  if ((yield* source.skipSpace()) === -1 || (yield* source.sees(`<${prefix}parameter `))) return true
  if (yield* seesOrCut(block, `</${wrapper}>`)) return true
  if (!(yield* source.take(`</${prefix}invoke>`, true))) return yield* seesOrCut(block, `</${prefix}invoke>`)
  if (isBare || (yield* source.skipSpace()) === -1) return true
  return yield* seesOneOf(block, [`</${wrapper}>`, `<${prefix}invoke `])
}

function* seesOneOf(block: Block, texts: readonly string[]): Reading<boolean> {
  for (const text of texts) if (yield* seesOrCut(block, text)) return true
  return false
}

interface Attributes {
  name?: string
  string?: string
  /** The tag ends with `/>`. */
  isClosed: boolean
}

/** Attributes up to the end of the tag. */
function* readAttributes(block: Block): Reading<Attributes | undefined> {
  const text = yield* readNameUntil(block, '>')
  if (text === undefined) return undefined
  const attributes: Attributes = { isClosed: text.endsWith('/') }
  for (const [, key, double, single] of text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (key === 'name') attributes.name ??= (double ?? single).trim()
    if (key === 'string') attributes.string ??= double ?? single
  }
  return attributes
}
