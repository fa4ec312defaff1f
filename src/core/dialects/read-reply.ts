import { openReader, type ReaderOptions } from './open-reader.js'
import { type Reply, replyBuilder } from './reply-builder.js'

/** Reads pieces of a reply to the end. */
export function readReply(pieces: Iterable<string>, options: ReaderOptions): Reply {
  const reader = openReader(options)
  const reply = replyBuilder()
  for (const piece of pieces) for (const event of reader.push(piece)) reply.add(event)
  for (const event of reader.end()) reply.add(event)
  return reply.finish()
}
