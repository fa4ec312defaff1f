// Indexes a vault in this process, in memory, and prints what it took. Started by run.mjs for each round.

import { bundled } from '../bundled.mjs'
import { readVault } from './read-vault.mjs'

const notes = readVault(process.argv[2])
const { memoryStore, memoryVault, runStage } = await bundled('src/core/vault/index.ts', 'src/core/index/index.ts')
const setup = { vault: memoryVault({ files: notes, now: () => 1 }), store: memoryStore() }
const [begun, before] = [performance.now(), process.cpuUsage()]
await runStage('read', setup, { vectors: true, yieldEveryMs: 50 })
const text = performance.now() - begun
await runStage('vectors', setup, { vectors: true, yieldEveryMs: 50 })
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ text, all: performance.now() - begun, processor: (user + system) / 1000 }))
