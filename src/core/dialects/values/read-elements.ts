import type { CallTicket } from '../call-ticket.js'
import type { Block } from '../dialect.js'
import { breakOff, seesOrCut } from '../families/parameter-list.js'
import type { Reading } from '../source.js'
import { readRawValue } from './read-raw-value.js'

export const nameCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-'

/** One element a parameter, up to the tag that ends them. */
export function* readElements(block: Block, ticket: CallTicket, closer: string): Reading<void> {
  const { source, limit } = block
  const values: [string, string][] = []
  for (;;) {
    const code = yield* source.skipSpace()
    if (code === -1 || (yield* seesOrCut(block, closer)))
      return ticket.callWithText(values, { elements: true, repeats: true })
    const tag = code === 60 ? yield* readWholeTag(block) : undefined
    if (tag === undefined) return yield* breakOff(block, ticket, 'something stands where an element should', [closer])
    const shape = {
      closer: `</${tag.name}>`,
      nested: [`<${tag.name}>`],
      limit,
      goesOn: () => goesOn(block, closer),
      lastClosers: [closer],
    }
    const value = tag.isClosed ? '' : yield* readRawValue(source, shape)
    if (value === undefined) return yield* breakOff(block, ticket, `its element <${tag.name}> does not end`, [closer])
    values.push([tag.name, value])
  }
}

function* goesOn(block: Block, closer: string): Reading<boolean> {
  if ((yield* block.source.skipSpace()) === -1 || (yield* seesOrCut(block, closer))) return true
  return (yield* readWholeTag(block)) !== undefined
}

interface Tag {
  name: string
  isClosed: boolean
}

function* readWholeTag(block: Block): Reading<Tag | undefined> {
  return (yield* block.source.take('<')) ? yield* readTag(block) : undefined
}

/** `<name>` or `<name/>`, from behind its first character. */
export function* readTag({ source }: Block): Reading<Tag | undefined> {
  let name = ''
  while (name.length < 200 && (yield* source.fill())) {
    const character = source.window[source.at]
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
