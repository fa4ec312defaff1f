import { memoryStore } from '../../../src/core/index/memory-store.js'
import { memoryObsidian } from '../../obsidian-host/node-host.mjs'
import { localProcess } from './local-process.js'
import type { Texts } from './planned-set.js'
import type { KindsOfCalls } from './troubles.js'
import { movableClock, type World } from './world.js'

const kinds: KindsOfCalls = {
  any: { reach: 120 },
  sync: { only: ['change'], reach: 3 },
  names: { only: ['rename', 'remove', 'makeFolder', 'removeFolder', 'trashOutside'], reach: 5 },
  bytes: { only: ['write'], reach: 5 },
  look: { only: ['entry', 'list', 'read', 'everything', 'look'], reach: 60 },
}

/**
 * The plugin's vault over the test double of the app, without a browser. Obsidian has no fsync, so that a power cut is a
 * kill here; it has no compare-and-swap for other programs either, so that nobody writes between its look and its write.
 */
export function obsidianWorld(files: Texts): World {
  const { calls, files: disk, open } = memoryObsidian()
  const store = memoryStore()
  const clock = movableClock()
  const put = (path: string, text: string) => void disk.set(path, new TextEncoder().encode(text))
  for (const [path, text] of files) put(path, text)
  let reconcile: () => Promise<void>

  return {
    keepsAllTexts: true,
    vault: () => new Map([...disk].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])),
    save: put,
    replace: put,
    erase: (path) => void disk.delete(path),
    rename(path, to) {
      put(to, new TextDecoder().decode(disk.get(path)))
      disk.delete(path)
    },
    state: () => new Map(),
    damage: () => undefined,
    setClock: clock.set,
    cutPower: () => undefined,
    start: (trouble) =>
      localProcess(
        {
          calls,
          kinds,
          letsPeopleIn: false,
          tearsWrites: true,
          async open(faulty) {
            const opened = await open(faulty)
            reconcile = opened.reconcile
            return opened.vault
          },
          look: () => reconcile(),
          store,
          kill: 'crash',
        },
        trouble,
      ),
    close: clock.restore,
  }
}
