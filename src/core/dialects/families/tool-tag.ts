import { type CallTicket, callTicket } from '../call-ticket.js'
import { type Block, defineDialect } from '../dialect.js'
import type { Reading } from '../source.js'
import { nameCharacters, readElements, readTag } from '../values/read-elements.js'
import { readYaml } from '../values/read-yaml.js'
import { breakOff, seesOrCut } from './parameter-list.js'

/** An element named like the tool, with one element per parameter or with YAML inside. Only when chosen. */
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
    const ticket = begin(block, tag.name)
    if (body === 'elements') yield* readElements(block, ticket, closer)
    else yield* readMapping(block, ticket, tag.name)
    if (!(yield* source.take(closer)) && (yield* seesOrCut(block, closer))) source.at = source.window.length
    return true
  },
})

/** What the body consists of; its first line decides. Reads nothing, since indentation counts in YAML. */
function* lookAtBody({ source }: Block, closer: string): Reading<'elements' | 'yaml' | 'prose'> {
  const mark = source.mark()
  let body: 'elements' | 'yaml' | 'prose' = 'prose'
  if ((yield* source.skipSpace()) === 60) body = (yield* source.sees(closer)) ? 'yaml' : 'elements'
  else {
    for (let length = 0; length < 100 && (yield* source.fill()); length++) {
      const character = source.window[source.at]
      if (character === ':') body = 'yaml'
      if (!/[\w.'"-]/.test(character)) break
      source.at++
    }
  }
  source.rewind(mark)
  return body
}

function begin(block: Block, name: string): CallTicket {
  const ticket = callTicket(block)
  ticket.named(name)
  return ticket
}

/** Everything up to the closing tag is one YAML mapping; all values are taken as text and typed by the schema. */
function* readMapping(block: Block, ticket: CallTicket, name: string): Reading<void> {
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
    if (source.offset - mark >= limit)
      return yield* breakOff(block, ticket, `it is longer than ${limit} characters`, [closer])
    if (end !== found) continue
    if (yield* source.sees(closer)) return reportYaml(ticket, pieces.join(''))
    pieces.push('<')
    source.at++
  }
  ticket.malformed('the text ends in the middle of it')
}

function reportYaml(ticket: CallTicket, text: string): void {
  const { value, fault } = text.trim() === '' ? { value: {} } : readYaml(text)
  if (value === undefined) {
    ticket.malformed(fault ?? 'its body is neither elements nor YAML')
    return
  }
  const values = Object.entries(value).map(([key, member]): [string, string] => [
    key,
    typeof member === 'string' ? member : JSON.stringify(member),
  ])
  ticket.callWithText(values, { texts: true })
}
