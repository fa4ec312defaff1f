import { memoryStore } from '../../../src/core/index/memory-store.js'
import { memoryDisk, memoryVault, type NotePath } from '../../../src/core/vault/index.js'
import { localProcess } from './local-process.js'
import type { Texts } from './planned-set.js'
import type { KindsOfCalls } from './troubles.js'
import { movableClock, type World } from './world.js'

const kinds: KindsOfCalls = {
  any: { reach: 9 },
  sync: { only: ['addRow'], reach: 3 },
  names: { only: ['rename', 'remove'], reach: 3 },
  bytes: { only: ['set'], reach: 4 },
  look: { reach: 9 },
}

/**
 * The memory vault. Its disk keeps everything at once, so that a power cut is a kill, and checks and changes a file in
 * one go, so that nobody writes in between; its journal has no bytes to damage.
 */
export function memoryVaultWorld(files: Texts): World {
  const disk = memoryDisk()
  const store = memoryStore()
  const clock = movableClock()
  // Two changes within a millisecond would have one stamp, and the index would take them for one.
  let last = 0
  const now = () => {
    last = Math.max(last + 1, Date.now())
    return last
  }
  const put = (path: string, text: string) => {
    const time = now()
    disk.set({ path: path as NotePath, bytes: new TextEncoder().encode(text), mtimeMs: time, ctimeMs: time })
  }
  for (const [path, text] of files) put(path, text)

  return {
    foldsNames: true,
    keepsAllTexts: true,
    vault: () => new Map([...disk.files.values()].map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])),
    save: put,
    replace: put,
    erase: (path) => disk.remove(path),
    rename: (path, to) => disk.rename(path, to as NotePath),
    state: () => new Map(),
    damage: () => undefined,
    setClock: clock.set,
    cutPower: () => undefined,
    start: (trouble) =>
      localProcess(
        {
          calls: disk,
          kinds,
          letsPeopleIn: false,
          async open(calls) {
            const vault = memoryVault({ disk: calls, now })
            // An empty change set repairs what an interrupted one has left.
            await vault.apply({ id: 'start', title: 'Start', changes: [] })
            return vault
          },
          store,
          kill: 'crash',
        },
        trouble,
      ),
    close: clock.restore,
  }
}
