import type { DialectName } from '../families/index.js'
import type { FindTool } from '../reader-tool.js'
import type { Reply } from '../reply-builder.js'
import { readWhole } from '../source.js'
import { readCallLiteral } from '../values/call-literal.js'
import { misfit } from '../values/misfit.js'
import { parseStructure } from '../values/type-value.js'
import { type CallObject, callsOfAll, callsOfObject } from './call-object.js'
import { isToolLike } from './tool-like.js'

/** A call, or with a fault what was meant as one and cannot run. */
export interface BareCall extends CallObject {
  fault?: string
}

/** Reads a text that stands for itself in some dialect. */
export type ReadAs = (text: string, format: 'any' | DialectName) => Reply

export interface Surroundings {
  find: FindTool
  readAs: ReadAs
  /** Whether this text stands in what the model was given: then it is repeated, and no call. */
  isQuotation?(text: string): boolean
  /** Calls with a marker are looked for here too, because nobody else does. */
  withMarked: boolean
  /** Nothing was said before. */
  isAlone: boolean
}

/** More words than this behind a fence are an explanation of what is in it. */
const trailLimit = 200

/** The calls that a text consists of; undefined when it is anything else. */
export function callsInText(text: string, given: Surroundings): BareCall[] | undefined {
  const calls: CallObject[] = []
  let rest = text.trim()
  while (rest !== '') {
    const part = nextPart(rest)
    const found = given.isQuotation?.(part.body) ? undefined : callsInPart(part, given)
    // Behind a call that came first, other words do not make it an explanation.
    if (found === undefined) {
      return calls.length > 0 && given.isAlone && rest.length <= trailLimit ? notAlone(calls, given) : undefined
    }
    calls.push(...found.calls)
    if (found.fault) return faulty(calls, found.fault, given)
    if (found.trail) return given.isAlone ? notAlone(calls, given) : undefined
    rest = rest.slice(part.length).replace(/^[\s,;]+/, '')
  }
  return judged(calls, given)
}

interface Part {
  body: string
  /** What the fence is labelled with; undefined outside of fences. */
  label?: string
  length: number
}

/** A fence, or all up to the next one. */
function nextPart(text: string): Part {
  const [opener, mark, label] = /^(`{3,}|~{3,})([^\n`]*)\n/.exec(text) ?? []
  if (opener === undefined) {
    const next = /\n[ \t]*(?:```|~~~)/.exec(text)
    const length = next ? next.index : text.length
    return { body: text.slice(0, length), length }
  }
  const closer = new RegExp(`\\n?[ \\t]*${mark[0]}{${mark.length},}[ \\t]*(?=\\n|$)`, 'g')
  closer.lastIndex = opener.length
  const end = closer.exec(text)
  const body = text.slice(opener.length, end?.index ?? text.length)
  return { body, label: label.trim(), length: end ? closer.lastIndex : text.length }
}

interface Found {
  calls: CallObject[]
  /** Other text behind the calls. */
  trail?: string
  /** One more was meant as a call and cannot be read. */
  fault?: { name: string; message: string }
}

function callsInPart({ body, label }: Part, { find, readAs, withMarked }: Surroundings): Found | undefined {
  const text = body.trim()
  if (label !== undefined && find(label)?.name === label && text.startsWith('{')) {
    const args = parseStructure(text)
    const own = callsOfObject(args)
    return { calls: own ?? [{ name: label, args, text }] }
  }
  if (/^(?:\{|\[\s*\{)/.test(text)) return callsInJson(text)
  const [, name, args] = /^([A-Za-z_][\w.-]*)\s*:?\s*(\{[\s\S]*\})$/.exec(text) ?? []
  if (name !== undefined) {
    const value = parseStructure(args)
    return value === undefined ? undefined : { calls: [{ name, args: value, text: args }] }
  }
  const printed = /^print\(([\s\S]*)\)$/.exec(text)?.[1] ?? text
  if (/^[A-Za-z_][\w.-]*\s*\(/.test(printed)) return whole(readAs(`[${printed}]`, 'pythonic'))
  if (text.startsWith('[')) return whole(readAs(text, 'pythonic'))
  // A marked call in a fence without a label is how we teach models to show one.
  return /^(?:<|\]<\])/.test(text) && (label === undefined ? withMarked : label !== '')
    ? whole(readAs(text, 'any'))
    : undefined
}

/** What another dialect has read, if nothing of it was text. */
function whole({ calls, errors, text }: Reply): Found | undefined {
  if (text.trim() !== '' || calls.length + errors.length === 0) return undefined
  const read = calls.map(({ name, arguments: args }): CallObject => ({ name, args }))
  const unknown = errors.flatMap(({ kind, name }) => (kind === 'unknown-tool' && name ? [{ name, args: {} }] : []))
  const broken = errors.find(({ kind }) => kind === 'malformed')
  const message = broken?.message.replace(/^.* could not be read: |\. Nothing was run\.$/g, '') ?? ''
  return { calls: [...read, ...unknown], ...(broken && { fault: { name: broken.name ?? '', message } }) }
}

/** Objects and arrays of them, one after the other. */
function callsInJson(text: string): Found | undefined {
  return readWhole(text, function* (source) {
    const calls: CallObject[] = []
    for (;;) {
      const { literal, written } = yield* readCallLiteral(source, text.length)
      const value = literal.ok ? literal.value : literal.partial
      const found = Array.isArray(value) ? callsOfAll(value, written) : callsOfObject(value, written)
      if (!literal.ok) {
        const last = found?.at(-1) ?? callsOfObject(Array.isArray(value) ? value.at(-1) : value)?.[0]
        return last && { calls, fault: { name: last.name, message: literal.message } }
      }
      if (found === undefined) return undefined
      calls.push(...found)
      const separator = yield* source.skipSpace()
      if (separator === 44 || separator === 59) source.at++
      const next = yield* source.skipSpace()
      if (next === -1) return { calls }
      if (next !== 123 && next !== 91) return { calls, trail: text.slice(source.at) }
    }
  })
}

/** Every one must be a call of an offered tool; a name that nobody offers counts where nothing else was said. */
function judged(calls: readonly CallObject[], { find, isAlone }: Surroundings): BareCall[] | undefined {
  const results = calls.map((call): BareCall | undefined => {
    const tool = find(call.name)
    if (tool === undefined) return isAlone && isToolLike(call.name) && call.args !== undefined ? call : undefined
    const args = typeof call.args === 'string' ? (parseStructure(call.args.trim()) ?? call.args) : (call.args ?? {})
    if (typeof args !== 'object' || args === null || Array.isArray(args)) {
      return { ...call, fault: 'its arguments are no JSON object' }
    }
    const fault = misfit(args as Record<string, unknown>, tool.inputSchema)
    return fault === undefined ? call : { ...call, fault }
  })
  return results.length > 0 && results.every((call) => call !== undefined) ? results : undefined
}

function faulty(
  calls: readonly CallObject[],
  { name, message }: { name: string; message: string },
  given: Surroundings,
) {
  if (given.find(name) === undefined) return undefined
  const others = calls.length === 0 ? [] : judged(calls, given)
  return others && [...others, { name, args: {}, fault: message }]
}

/** A call with words around it might be shown rather than made: it is asked for again. */
function notAlone(calls: readonly CallObject[], given: Surroundings): BareCall[] | undefined {
  const fault = 'other words stand behind it. Make the call again with nothing else, or answer in words'
  return judged(calls, given)?.map((call) => ({ ...call, fault: call.fault ?? fault }))
}
