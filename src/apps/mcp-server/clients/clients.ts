import type { McpSetup } from '../setup.js'
import type { Caller } from './caller.js'
import { type Client, client, type OnOpen } from './client.js'

/** The clients behind one connection, or behind many requests that belong to none. */
export interface Clients {
  of(caller: Caller): Client
  close(): Promise<void>
}

/** So many are kept where nothing tells that one has gone. */
const most = 50

export function clients(setup: McpSetup, onOpen?: OnOpen): Clients {
  const known = new Map<string, Client>()
  return {
    of(caller) {
      // Whether its person can be asked is a part of who it is: it says so with every request anew.
      const id = `${caller.name} ${caller.canAsk}`
      const found = known.get(id) ?? client(setup, caller, onOpen)
      known.delete(id)
      known.set(id, found)
      for (const [oldest, other] of known) {
        if (known.size <= most) break
        known.delete(oldest)
        void other.close()
      }
      return found
    },
    async close() {
      await Promise.all([...known.values()].map((each) => each.close()))
      known.clear()
    },
  }
}
