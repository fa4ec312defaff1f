import type { GrantStore, StoredGrant } from '../../core/approval/index.js'
import type { ReviewedTools, ServerTool, TrustedServer } from '../../core/mcp/index.js'
import type { DialectMemory } from '../../core/model/index.js'
import type { Timer, Timers } from '../../core/tools/index.js'
import { logStores } from './call-log.js'
import { type Database, openDatabase, requestResult } from './database.js'
import { journalStores } from './journal.js'
import type { TrustStore } from './servers.js'
import { sessionStores } from './session-store.js'

/** Small values by name: permanent grants, timers, dialects of models. */
const valueStore = 'values'

function valueIn<T>(database: Database, key: string, otherwise: T) {
  return {
    read: async (): Promise<T> =>
      (await database.look([valueStore], (store) => requestResult<T | undefined>(store(valueStore).get(key)))) ??
      otherwise,
    /** Reads and writes in one transaction, so that two at a time lose nothing. */
    change: (change: (value: T) => T): Promise<void> =>
      database.change([valueStore], async (store) => {
        const value = (await requestResult<T | undefined>(store(valueStore).get(key))) ?? otherwise
        store(valueStore).put(change(value), key)
      }),
  }
}

export function databaseGrants(database: Database): GrantStore {
  const kept = valueIn<StoredGrant[]>(database, 'grants', [])
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

export function databaseTimers(database: Database): Timers {
  const kept = valueIn<Record<string, Timer>>(database, 'timers', {})
  return {
    get: async (name) => (await kept.read())[name],
    set: (name, timer) =>
      kept.change(({ [name]: _, ...others }) => (timer === undefined ? others : { ...others, [name]: timer })),
  }
}

export function databaseDialects(database: Database): DialectMemory {
  const kept = valueIn<Record<string, string>>(database, 'dialects', {})
  return {
    recall: async (model) => (await kept.read())[model],
    remember: (model, dialect) => kept.change((all) => ({ ...all, [model]: dialect })),
  }
}

/** Tools of servers as the user reviewed them. Not in the plugin's settings, so that a vault cannot claim a review. */
export function databaseSeenTools(database: Database): ReviewedTools {
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

/** Entries the user has trusted, as they were then, stored on this device. */
export function databaseTrust(database: Database): TrustStore {
  const kept = valueIn<TrustedServer[]>(database, 'trusted-servers', [])
  return {
    all: kept.read,
    add: ({ server, hash }) => kept.change((all) => [...all.filter((one) => one.server !== server), { server, hash }]),
    remove: (server) => kept.change((all) => all.filter((one) => one.server !== server)),
  }
}

const counted = new Set<string>(['rows', 'usage', ...logStores])

/** All durable data of a vault: journal, sessions, log, grants. The index has its own database. */
export function openState(vault: string): Promise<Database> {
  const names = [...journalStores, ...sessionStores, ...logStores, valueStore]
  const schema = Object.fromEntries(names.map((name) => [name, { autoIncrement: counted.has(name) }]))
  return openDatabase(`notewright-${vault}`, 1, schema)
}
