import { memoryStore } from '../../../src/core/vault-index/index.js'
import { memoryFiles } from '../../../src/hosts/node/files/index.js'
import { randomNumbers } from '../torture.js'
import { localProcess } from './local-process.js'
import type { Texts } from './planned-set.js'
import type { World } from './world.js'

/** A disk in memory that knows what was synced. Its processes die by never hearing from it again. */
export function memoryWorld(files: Texts): World {
  const disk = memoryFiles()
  const store = memoryStore()
  const now = Date.now
  let aheadMs = 0
  Date.now = () => now() + aheadMs
  disk.put('/state/keep', new Uint8Array())
  for (const [path, text] of files) disk.put(`/vault/${path}`, encode(text))

  return {
    vault: () => new Map([...disk.tree('/vault')].map(([path, bytes]) => [path, decode(bytes)])),
    save: (path, text) => disk.overwrite(`/vault/${path}`, encode(text)),
    replace: (path, text) => disk.put(`/vault/${path}`, encode(text)),
    erase: (path) => disk.erase(`/vault/${path}`),
    rename: (path, to) => disk.relocate(`/vault/${path}`, `/vault/${to}`),
    state: () => disk.tree('/state'),
    damage: (path, bytes) => disk.overwrite(`/state/${path}`, bytes),
    setClock(ms) {
      aheadMs = ms
    },
    cutPower(seed) {
      const random = randomNumbers(seed)
      const chance = random()
      disk.losePower(() => random() < chance)
    },
    // Whoever held the lock before is dead.
    start: (trouble) =>
      localProcess(
        { files: disk, root: '/vault', stateDir: '/state/v', store, kill: 'crash', isAlive: () => false },
        trouble,
      ),
    close() {
      Date.now = now
    },
  }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
