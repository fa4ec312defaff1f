import { callTicket } from '../call-ticket.js'
import { type Block, defineDialect, type Marker } from '../dialect.js'
import type { Reading } from '../source.js'
import { readWhole } from '../source.js'
import { endBlock, readArguments, takeCloser } from '../values/read-calls.js'
import { readLiteral } from '../values/read-literal.js'
import { readRawValue } from '../values/read-raw-value.js'
import { parseStructure } from '../values/type-value.js'
import { breakOff, readNameUntil, seesOrCut } from './parameter-list.js'

/** The tags of one dialect: `<PREFIXinvoke …>` inside `<WRAPPER>`. */
interface Tags {
  wrapper: string
  prefix: string
}

const minimaxTags = [{ wrapper: 'minimax:tool_call', prefix: '' }]
const anthropicTags = [
  { wrapper: 'function_calls', prefix: '' },
  { wrapper: 'antml:function_calls', prefix: 'antml:' },
]
const dsmlTags = (wrapper: string): Tags[] => [{ wrapper: `｜DSML｜${wrapper}`, prefix: '｜DSML｜' }]

export const minimax = defineDialect({ names: ['minimax_m2'], ...invokeDialect(minimaxTags) })
export const anthropicInvoke = defineDialect({ names: ['anthropic_invoke'], ...invokeDialect(anthropicTags) })
export const deepseekV32 = defineDialect({ names: ['deepseek_v32_dsml'], ...invokeDialect(dsmlTags('function_calls')) })
export const deepseekV4 = defineDialect({ names: ['deepseek_v4_dsml'], ...invokeDialect(dsmlTags('tool_calls')) })

/** A wrapper around invokes with parameters. */
function invokeDialect(all: Tags[]) {
  const markers: Marker[] = all.map(({ wrapper }) => ({ text: `<${wrapper}`, tag: true }))
  return {
    markers,
    *read(block: Block, marker: Marker): Reading<boolean> {
      const { source } = block
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
        parameter?.name === undefined ? undefined : parameter.isClosed ? '' : yield* readParameter(block, tags)
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
      ticket.callWithText(texts, { typed })
      return yield* takeCloser(block, [closer])
    } else {
      const found = JSON.stringify(String.fromCharCode(code))
      yield* breakOff(block, ticket, `${found} stands where a parameter should`, stops)
      return yield* takeCloser(block, [closer])
    }
  }
}

function* readParameter(block: Block, { prefix, wrapper }: Tags): Reading<string | undefined> {
  return yield* readRawValue(block.source, {
    closer: `</${prefix}parameter>`,
    nested: [`<${prefix}parameter `],
    limit: block.limit,
    goesOn: () => goesOn(block, { prefix, wrapper }),
    lastClosers: [`</${prefix}invoke>`, `</${wrapper}>`],
  })
}

/** Behind `</parameter>`. */
function* goesOn(block: Block, { prefix, wrapper }: Tags): Reading<boolean> {
  const { source } = block
  if ((yield* source.skipSpace()) === -1 || (yield* source.sees(`<${prefix}parameter `))) return true
  if (yield* seesOrCut(block, `</${wrapper}>`)) return true
  if (!(yield* source.take(`</${prefix}invoke>`, true))) return yield* seesOrCut(block, `</${prefix}invoke>`)
  if ((yield* source.skipSpace()) === -1) return true
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

/** A value that says it is JSON; what is none stays text for the validator. */
function parseJson(text: string): unknown {
  const trimmed = text.trim()
  const structure = parseStructure(trimmed)
  if (structure !== undefined) return structure
  const value = readWhole(`${trimmed} `, function* (source) {
    const literal = yield* readLiteral(source, { syntax: 'json', limit: trimmed.length })
    return literal.ok && (yield* source.skipSpace()) === -1 ? { value: literal.value } : undefined
  })
  return value === undefined ? text : value.value
}
