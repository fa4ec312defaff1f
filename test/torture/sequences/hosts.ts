import { memoryVaultWorld } from './memory-vault-world.js'
import { memoryWorld } from './memory-world.js'
import { obsidianWorld } from './obsidian-world.js'
import type { Texts } from './planned-set.js'
import type { World } from './world.js'

/** Every host of the change engine, on a disk in memory. */
export const hosts = {
  node: memoryWorld,
  memory: memoryVaultWorld,
  obsidian: obsidianWorld,
} satisfies Record<string, (files: Texts) => World>

export type HostName = keyof typeof hosts
