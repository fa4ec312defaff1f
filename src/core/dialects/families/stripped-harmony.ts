import { callBuilder, endBlock, readArguments } from '../calls.js'
import { type Block, defineDialect } from '../dialect.js'
import type { ParseGenerator, TextSource } from '../source.js'

const role = 'assistant'
const channels = ['analysis', 'commentary', 'final'] as const
const switches = ['assistantanalysis', 'assistantcommentary', 'assistantfinal']

type Channel = (typeof channels)[number]

/**
 * Harmony from a server that drops special tokens: `analysisI need the note.assistantcommentary to=functions.read_note
 * json{"path":"Inbox.md"}`. The words alone prove nothing. They count only at the start of a reply, and only if a
 * later channel, a recipient or both words of a header confirm them.
 */
export const strippedHarmony = defineDialect({
  names: ['harmony'],
  isFrame: true,
  markers: [
    { text: 'analysis', place: 'reply-start' },
    { text: 'commentary', place: 'reply-start' },
    { text: role, place: 'reply-start' },
  ],

  *read(block, marker) {
    const { source } = block
    const first = marker.text === role ? yield* takeChannel(source) : (marker.text as Channel)
    if (first === undefined) return false
    if (first === 'final' && /[a-z]/.test((yield* source.need(1)) ? source.window.charAt(source.at) : '')) return false
    const isProven = first === 'final' || (block.offersTools && (yield* source.sees(' to=functions.')))
    if (!isProven && (yield* findSwitch(block)) === -1) return false
    block.commit()
    for (let channel: Channel | undefined = first; channel !== undefined && channel !== 'final'; ) {
      if (channel === 'commentary' && block.offersTools && (yield* source.take(' to=functions.')))
        yield* readCall(block)
      else if (!(yield* readWords(block, channel))) return true
      channel = (yield* source.take(role)) ? yield* takeChannel(source) : undefined
    }
    return true
  },
})

function* takeChannel(source: TextSource): ParseGenerator<Channel | undefined> {
  for (const channel of channels) if (yield* source.take(channel)) return channel
  return undefined
}

/**
 * Reads reasoning or visible text up to the next channel. Visible text without a following channel is ordinary text
 * again.
 */
function* readWords(block: Block, channel: Channel): ParseGenerator<boolean> {
  const { source, events } = block
  const end = yield* findSwitch(block)
  if (channel === 'commentary' && end === -1) return false
  if (channel === 'analysis') events.reasoningStart()
  const add = channel === 'analysis' ? events.reasoning : events.text
  while ((end === -1 || source.offset < end) && (yield* source.fill())) {
    const until = end === -1 ? source.window.length : Math.min(source.window.length, source.at + end - source.offset)
    add(source.window.slice(source.at, until))
    source.at = until
  }
  if (channel === 'analysis') events.reasoningEnd()
  return true
}

/** Reads from after `to=functions.`. The word json of the dropped token may directly follow the name. */
function* readCall(block: Block): ParseGenerator<void> {
  const { source, find } = block
  let name = ''
  while (name.length < 200 && (yield* source.fill()) && /[\w.:-]/.test(source.window.charAt(source.at))) {
    name += source.window.charAt(source.at++)
  }
  const builder = callBuilder(block)
  builder.setName(find(name) ? name : name.replace(/json$/, ''))
  yield* source.skipSpace()
  if (yield* source.take('json')) yield* source.skipSpace()
  yield* endBlock(block, { closers: [], openers: switches }, yield* readArguments(block, builder, switches))
}

/** The offset of the next channel, or -1. Reads nothing. */
function* findSwitch({ source, limit }: Block): ParseGenerator<number> {
  const start = source.mark()
  let found = -1
  while (found === -1 && source.offset - start <= limit) {
    const at = source.window.indexOf(role, source.at)
    if (at === -1) {
      source.at = Math.max(source.at, source.window.length - role.length + 1)
      if (!(yield* source.need(role.length))) break
      continue
    }
    source.at = at
    const offset = source.offset
    let isSwitch = false
    for (const text of switches) isSwitch ||= yield* source.sees(text)
    if (isSwitch && offset - start <= limit) found = offset
    source.at++
  }
  source.rewind(start)
  return found
}
