import type { ChangeSet } from '../../../src/core/vault/index.js'
import type { Held, PlannedSet, Texts } from './planned-set.js'

/** Applies a change set to texts in memory, without the engine. */
export function playChanges(
  set: ChangeSet,
  disk: Texts,
): Pick<PlannedSet, 'touched' | 'moves' | 'appended' | 'trashed'> {
  const now = new Map<string, Held>(disk)
  const [trashed, appended]: Texts[] = [new Map(), new Map()]
  const ends: [string, string][] = []
  for (const change of set.changes) {
    const path = asSpelled(change.path, now)
    const held = now.get(path) ?? null
    switch (change.kind) {
      case 'create':
      case 'edit':
        now.set(path, textOf(change.after))
        break
      case 'append':
        now.set(path, (held ?? '') + textOf(change.added))
        appended.set(path, textOf(change.added))
        break
      case 'move':
        now.set(path, null)
        now.set(change.to, held)
        ends.push([path, change.to])
        break
      case 'trash':
        now.set(path, null)
        if (held !== null && change.journalOnly !== true) trashed.set(path, held)
    }
  }
  const touched = [...now].flatMap(([path, held]): [string, { old: Held; new: Held }][] => {
    const old = disk.get(path) ?? null
    return isNoted(path) && old !== held ? [[path, { old, new: held }]] : []
  })
  // A note that is replaced in the same set goes to the journal, not to the trash.
  for (const path of trashed.keys()) if ((now.get(path) ?? null) !== null) trashed.delete(path)
  const moves = ends.filter(([from, to]) => now.get(to) === disk.get(from))
  return { touched: new Map(touched), moves, appended, trashed }
}

/** The trash chooses its own names, and settings are not notes. */
export function isNoted(path: string): boolean {
  return !path.startsWith('.trash/') && !path.startsWith('.obsidian/')
}

/** A note is found whatever the case of its letters. */
function asSpelled(path: string, now: Map<string, Held>): string {
  if ((now.get(path) ?? null) !== null) return path
  const folded = path.toLowerCase()
  return [...now].find(([other, held]) => held !== null && other.toLowerCase() === folded)?.[0] ?? path
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
