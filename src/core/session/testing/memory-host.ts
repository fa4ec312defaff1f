import { memoryGrants, type RuleTexts } from '../../approval/index.js'
import { openNotebook } from '../../notebook/index.js'
import { openModel } from '../../providers/index.js'
import { memoryLog, redactor, type Timer, whole } from '../../tools/index.js'
import { type MemoryVault, memoryVault } from '../../vault/index.js'
import { memoryStore } from '../../vault-index/index.js'
import { memorySessions } from '../store/index.js'
import type { VaultHost } from '../vault-host.js'

export interface MemoryHost extends VaultHost {
  memory: MemoryVault
  log: ReturnType<typeof memoryLog>
  /** What the vault brings along; may be changed between turns. */
  rules: Omit<RuleTexts, 'from'>
}

/** A host with nothing behind it: a vault, an index, a log and decisions in memory, and no way out. */
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
    redact: redactor({ ...whole }),
    grants: memoryGrants(),
    dailyNotes: async () => ({ folder: '', format: 'YYYY-MM-DD' }),
    vaultRules: async () => ({ from: 'vault', ...host.rules }),
    openModel: (name) => openModel(name, { environment: {}, fetch: globalThis.fetch }),
  }
  return host
}
