import type { App } from 'obsidian'
import { openVaultIndex } from '../../../src/core/index/index.js'
import type { NotePath } from '../../../src/core/vault/index.js'
import { indexedDbStore } from '../../../src/hosts/obsidian/index-store.js'
import { openState } from '../../../src/hosts/obsidian/stored-values.js'
import { obsidianVault } from '../../../src/hosts/obsidian/vault/obsidian-vault.js'
import { dialectsToTry } from '../../agent/in-dialect.js'
import type { PlayedOn, Stage } from '../../agent/play.js'
import { playInDialect } from '../../agent/play-in-dialect.js'
import { scenarios } from '../../agent/scenarios.js'
import type { ToldScenario } from '../../agent/told-scenario.js'
import { toldScenario } from '../../agent/told-scenario.js'
import { testContext } from '../../tools/call-tool.js'
import type { App as HostApp } from '../app/app.js'
import type { MemoryDisk } from '../app/memory-disk.js'

/** The scenarios of the agent, played on the app's vault and an index in the browser. */

interface Here {
  host: { app: HostApp; open(vault: string, options: { filesAt: string }): Promise<void> }
  playScenarios(): Promise<ToldScenario[]>
}

const here = globalThis as unknown as Here
let opened = 0

const openContext: Stage['openContext'] = async (notes, more): Promise<PlayedOn> => {
  const name = `scenario-${opened++}`
  const files = { ...notes, '.obsidian/app.json': '{"trashOption":"local"}' }
  await here.host.open(name, { filesAt: `data:application/json,${encodeURIComponent(JSON.stringify(files))}` })
  const { app } = here.host
  const [database, store] = [await openState(name), await indexedDbStore(name)]
  const vault = await obsidianVault(app as unknown as App, { id: name, database })
  const index = await openVaultIndex({ vault, store })
  await index.readChanges()
  const disk = app.vault.disk as MemoryDisk
  const isNote = ([path]: [string, Uint8Array]) => !path.startsWith('.obsidian/')
  const context = await testContext({}, { vault, ...more })
  return {
    ...context,
    index: { ...context.index, ...index },
    memory: { snapshot: () => new Map([...disk.snapshot()].filter(isNote) as [NotePath, Uint8Array][]) },
    async apply(changes) {
      const applied = await vault.apply(changes)
      await index.readChanges()
      return applied
    },
  }
}

here.playScenarios = async () => {
  const told: ToldScenario[] = []
  for (const scenario of scenarios) {
    for (const dialect of dialectsToTry) {
      for (const stream of [true, false]) {
        const played = await playInDialect(scenario, dialect, stream, { openContext })
        told.push(toldScenario(scenario, dialect, stream, played))
      }
    }
  }
  return told
}
