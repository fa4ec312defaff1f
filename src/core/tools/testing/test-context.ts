import { type AppliedChangeSet, type ChangeSet, type MemoryVault, memoryVault } from '../../vault/index.js'
import { memoryStore, openVaultIndex } from '../../vault-index/index.js'
import type { Timer, ToolContext } from '../tool-context.js'

export interface TestContext extends ToolContext {
  memory: MemoryVault
  apply: (changes: ChangeSet) => Promise<AppliedChangeSet>
}

/** A vault in memory with its index, for the tests of tools. `more` replaces parts: a clock, a web. */
export async function testContext(
  notes: Record<string, string | Uint8Array>,
  more: Partial<ToolContext> = {},
): Promise<TestContext> {
  const memory = memoryVault({ files: notes })
  const index = await openVaultIndex({ vault: memory, store: memoryStore() })
  await index.catchUp()
  const timers = new Map<string, Timer>()
  return {
    memory,
    vault: memory,
    index: {
      ...index,
      async update() {
        await index.catchUp()
        const { notes, chunks, links } = await index.counts()
        return { notes, chunks, links, skipped: await index.skipped(), ms: 0 }
      },
    },
    clock: { now: () => new Date('2024-01-15T12:00:00Z'), timeZone: 'UTC' },
    settings: { dailyNotes: async () => ({ folder: '', format: 'YYYY-MM-DD' }) },
    timers: {
      get: async (name) => timers.get(name),
      async set(name, timer) {
        timer === undefined ? timers.delete(name) : timers.set(name, timer)
      },
    },
    session: 'test',
    signal: new AbortController().signal,
    report: () => {},
    async apply(changes) {
      const applied = await memory.apply(changes)
      await index.catchUp()
      return applied
    },
    ...more,
  }
}
