import { memoryStore } from '../../../src/core/index/index.js'
import type { FileAccess } from '../../../src/hosts/node/files/file-access.js'
import { folderVault } from '../../../src/hosts/node/folder-vault/folder-vault.js'
import { memoryFiles } from '../../doubles/memory-files.js'
import { randomNumbers } from '../torture.js'
import { localProcess } from './local-process.js'
import type { Texts } from './planned-set.js'
import { kindsOfFileAccess } from './troubles.js'
import type { World } from './world.js'
import { movableClock } from './world.js'

/** The Node host on a disk in memory that knows what was synced. Its processes die by never hearing from it again. */
export function memoryWorld(files: Texts): World {
  const disk = memoryFiles()
  const store = memoryStore()
  const clock = movableClock()
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
    setClock: clock.set,
    cutPower(seed) {
      const random = randomNumbers(seed)
      const chance = random()
      disk.losePower(() => random() < chance)
    },
    // The previous holder of the lock is dead.
    start: (trouble) =>
      localProcess(
        {
          calls: disk as FileAccess,
          kinds: kindsOfFileAccess,
          open: (files) => folderVault({ root: '/vault', stateDir: '/state/v', files, lock: { isAlive: () => false } }),
          store,
          kill: 'crash',
        },
        trouble,
      ),
    close: clock.restore,
  }
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
