import { Composer, type CST, Parser } from 'yaml'
import { type CallBuilder, callBuilder } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import { faults } from '../faults.js'
import { failAndSkip, matchesOrEnds, nameCharacters, readElements, readTag } from '../parameters.js'
import type { ParseGenerator } from '../source.js'

/** An element named like the tool, with one element per parameter or with YAML inside. Only if chosen by name. */
export const toolTag = defineDialect({
  names: ['tool_tag'],
  markers: [{ text: '<', next: nameCharacters, bare: true }],

  *read(block) {
    const { source } = block
    const tag = yield* readTag(block)
    if (tag === undefined || block.find(tag.name)?.name !== tag.name) return false
    if (tag.isClosed) {
      block.commit()
      begin(block, tag.name).call(undefined)
      return true
    }
    const closer = `</${tag.name}>`
    const body = yield* lookAtBody(block, closer)
    if (body === 'prose') return false
    block.commit()
    const builder = begin(block, tag.name)
    if (body === 'elements') yield* readElements(block, builder, closer)
    else yield* readMapping(block, builder, tag.name)
    if (!(yield* source.take(closer)) && (yield* matchesOrEnds(block, closer))) source.at = source.window.length
    return true
  },
})

/** Decides by its first line how the body is written. Reads nothing, since indentation counts in YAML. */
function* lookAtBody({ source }: Block, closer: string): ParseGenerator<'elements' | 'yaml' | 'prose'> {
  const mark = source.mark()
  let body: 'elements' | 'yaml' | 'prose' = 'prose'
  if ((yield* source.skipSpace()) === 60) body = (yield* source.sees(closer)) ? 'yaml' : 'elements'
  else {
    for (let length = 0; length < 100 && (yield* source.fill()); length++) {
      const character = source.window.charAt(source.at)
      if (character === ':') body = 'yaml'
      if (!/[\w.'"-]/.test(character)) break
      source.at++
    }
  }
  source.rewind(mark)
  return body
}

function begin(block: Block, name: string): CallBuilder {
  const builder = callBuilder(block)
  builder.setName(name)
  return builder
}

/** Reads everything up to the closing tag as one YAML mapping; all values are text and typed by the schema. */
function* readMapping(block: Block, builder: CallBuilder, name: string): ParseGenerator<void> {
  const { source, limit } = block
  const mark = source.offset
  const pieces: string[] = []
  const closer = `</${name}>`
  while (yield* source.fill()) {
    const last = Math.min(source.window.length, source.at + Math.max(1, limit - (source.offset - mark)))
    const found = source.window.indexOf('<', source.at)
    const end = found === -1 || found > last ? last : found
    pieces.push(source.window.slice(source.at, end))
    source.at = end
    if (source.offset - mark >= limit) return yield* failAndSkip(block, builder, faults.tooLong(limit), [closer])
    if (end !== found) continue
    if (yield* source.sees(closer)) return reportYaml(builder, pieces.join(''))
    pieces.push('<')
    source.at++
  }
  builder.malformed(faults.cutCall)
}

function reportYaml(builder: CallBuilder, text: string): void {
  const { value, fault } = text.trim() === '' ? { value: {} } : readYaml(text)
  if (value === undefined) {
    builder.malformed(fault ?? 'its body is neither elements nor YAML')
    return
  }
  const values = Object.entries(value).map(([key, member]): [string, string] => [
    key,
    typeof member === 'string' ? member : JSON.stringify(member),
  ])
  builder.callWithText(values, { texts: true })
}

/** Deeper values could overflow the stack while they are composed, and no model writes them. */
const depthLimit = 100
/** The more tokens, the longer a broken text takes to parse. A long text between quotes is one token. */
const signsLimit = 50_000

/**
 * Reads a YAML mapping with all its scalars as text. Returns a fault for invalid YAML, and nothing if it is no
 * mapping.
 */
function readYaml(text: string): { value?: object; fault?: string } {
  try {
    const tokens = [...new Parser().parse(text)]
    const fault = refuse(tokens)
    if (fault !== undefined) return { fault }
    // Positions in messages would be looked up from the start for every fault.
    const options = { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const
    const [document] = new Composer(options).compose(tokens, true, text.length)
    const [error] = document?.errors ?? []
    if (error) return { fault: error.message.replace(/\n[\s\S]*/, '') }
    const value: unknown = document?.toJS({ maxAliasCount: 0 })
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { value } : {}
  } catch (error) {
    return { fault: (error as Error).message }
  }
}

/** The reason not to compose this text at all. Walks the tokens without recursion. */
function refuse(tokens: readonly CST.Token[]): string | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 }))
  for (let count = 0, next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    if (depth > depthLimit) return faults.tooDeep(depthLimit)
    if (++count > signsLimit) return `its YAML has more than ${signsLimit} signs`
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth })
    if (!('items' in token)) continue
    for (const { start, key, sep, value } of token.items) {
      count += start.length + (sep?.length ?? 0)
      if (key) open.push({ token: key, depth: depth + 1 })
      if (value) open.push({ token: value, depth: depth + 1 })
    }
  }
  return undefined
}
