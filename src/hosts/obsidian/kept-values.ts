import type { GrantStore, KeptGrant } from '../../core/approval/index.js'
import type { SeenTools, ServerTool, TrustedServer } from '../../core/mcp/index.js'
import type { DialectMemory } from '../../core/model/index.js'
import type { Timer, Timers } from '../../core/tools/index.js'
import { answerOf, type Database } from './database/index.js'
import type { TrustStore } from './servers.js'

/** Small things by name: decisions for always, timers, which dialect a model speaks. */
export const valueStore = 'values'

function valueIn<T>(database: Database, key: string, otherwise: T) {
  return {
    read: async (): Promise<T> =>
      (await database.look([valueStore], (store) => answerOf<T | undefined>(store(valueStore).get(key)))) ?? otherwise,
    /** Reads and writes in one transaction, so that two at a time lose nothing. */
    change: (change: (value: T) => T): Promise<void> =>
      database.change([valueStore], async (store) => {
        const value = (await answerOf<T | undefined>(store(valueStore).get(key))) ?? otherwise
        store(valueStore).put(change(value), key)
      }),
  }
}

export function keptGrants(database: Database): GrantStore {
  const kept = valueIn<KeptGrant[]>(database, 'grants', [])
  return {
    load: kept.read,
    add: (grant) => kept.change((all) => [...all.filter(({ rule }) => rule !== grant.rule), grant]),
    async revoke(id) {
      let isFound = false
      await kept.change((all) => {
        isFound = all.some((grant) => grant.id === id)
        return all.filter((grant) => grant.id !== id)
      })
      return isFound
    },
  }
}

export function keptTimers(database: Database): Timers {
  const kept = valueIn<Record<string, Timer>>(database, 'timers', {})
  return {
    get: async (name) => (await kept.read())[name],
    set: (name, timer) =>
      kept.change(({ [name]: _, ...others }) => (timer === undefined ? others : { ...others, [name]: timer })),
  }
}

export function keptDialects(database: Database): DialectMemory {
  const kept = valueIn<Record<string, string>>(database, 'dialects', {})
  return {
    recall: async (model) => (await kept.read())[model],
    remember: (model, dialect) => kept.change((all) => ({ ...all, [model]: dialect })),
  }
}

/** Tools of servers as the person saw them. Not in the plugin's settings: what a vault brings along must not say so. */
export function keptSeenTools(database: Database): SeenTools {
  const kept = valueIn<{ server: string; tool: ServerTool }[]>(database, 'seen-tools', [])
  return {
    async of(server) {
      const all = await kept.read()
      return new Map(all.flatMap((each) => (each.server === server ? [[each.tool.name, each.tool]] : [])))
    },
    add: (server, tools) =>
      kept.change((all) => {
        const isNew = (name: string) => tools.some((tool) => tool.name === name)
        const others = all.filter((each) => each.server !== server || !isNew(each.tool.name))
        return [...others, ...tools.map((tool) => ({ server, tool }))]
      }),
  }
}

/** What the person has trusted: on this device, and as it was then. */
export function keptTrust(database: Database): TrustStore {
  const kept = valueIn<TrustedServer[]>(database, 'trusted-servers', [])
  return {
    all: kept.read,
    add: ({ server, hash }) => kept.change((all) => [...all.filter((one) => one.server !== server), { server, hash }]),
    remove: (server) => kept.change((all) => all.filter((one) => one.server !== server)),
  }
}
