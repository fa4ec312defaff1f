import type { RuleTexts } from '../../src/core/approval/index.js'
import { memoryGrants } from '../../src/core/approval/index.js'
import { memoryStore, openNotebook } from '../../src/core/index/index.js'
import { openModel } from '../../src/core/providers/index.js'
import type { VaultHost } from '../../src/core/session/opened-vault.js'
import type { Timer } from '../../src/core/tools/index.js'
import { memoryLog, redactOnlySecrets, redactor } from '../../src/core/tools/index.js'
import type { MemoryVault } from '../../src/core/vault/index.js'
import { memoryVault } from '../../src/core/vault/index.js'
import { memorySessions } from './memory-sessions.js'

export interface MemoryHost extends VaultHost {
  memory: MemoryVault
  log: ReturnType<typeof memoryLog>
  /** Parts of the vault that a test may change between turns. */
  rules: Omit<RuleTexts, 'from'>
}

/** A host in memory: vault, index, log and decisions, without network. */
export async function memoryHost(files: Record<string, string | Uint8Array>): Promise<MemoryHost> {
  const memory = memoryVault({ files })
  const notebook = await openNotebook({ vault: memory, store: memoryStore() })
  await notebook.update()
  const timers = new Map<string, Timer>()
  const host: MemoryHost = {
    memory,
    notebook,
    rules: {},
    clock: { now: () => new Date('2024-01-15T12:00:00Z'), timeZone: 'UTC' },
    timers: {
      get: async (name) => timers.get(name),
      async set(name, timer) {
        timer === undefined ? timers.delete(name) : timers.set(name, timer)
      },
    },
    log: memoryLog(),
    sessions: memorySessions(),
    redact: redactor({ ...redactOnlySecrets }),
    grants: memoryGrants(),
    dailyNotes: async () => ({ folder: '', format: 'YYYY-MM-DD' }),
    vaultRules: async () => ({ from: 'vault', ...host.rules }),
    openModel: (name) => openModel(name, { environment: {}, fetch: globalThis.fetch }),
  }
  return host
}
