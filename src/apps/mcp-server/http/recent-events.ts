import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

interface KeptEvent {
  stream: string
  message: JSONRPCMessage
  bytes: number
}

const mostEvents = 500
const mostBytes = 4_000_000

/** What was last sent on a session's streams, so that a client whose line broke can have it again. */
export function recentEvents(): EventStore {
  const kept = new Map<string, KeptEvent>()
  let count = 0
  let bytes = 0

  return {
    async storeEvent(stream, message) {
      const id = `${++count}`
      const size = JSON.stringify(message).length
      kept.set(id, { stream, message, bytes: size })
      bytes += size
      for (const [oldest, event] of kept) {
        if (kept.size <= mostEvents && bytes <= mostBytes) break
        kept.delete(oldest)
        bytes -= event.bytes
      }
      return id
    },
    getStreamIdForEventId: async (id) => kept.get(id)?.stream,
    async replayEventsAfter(last, { send }) {
      const from = kept.get(last)
      if (from === undefined) throw new Error('What came after that is no longer known.')
      let isAfter = false
      for (const [id, { stream, message }] of kept) {
        if (isAfter && stream === from.stream) await send(id, message)
        if (id === last) isAfter = true
      }
      return from.stream
    },
  }
}
