import type { ChangeSet } from '../../../src/core/vault/index.js'
import type { Held, PlannedSet, Texts } from './model.js'

/** What a change set would make of a disk, played by hand. */
export function playChanges(set: ChangeSet, disk: Texts): Pick<PlannedSet, 'touched' | 'moves' | 'trashed'> {
  const now = new Map<string, Held>(disk)
  const trashed: string[] = []
  for (const change of set.changes) {
    const held = now.get(change.path) ?? null
    switch (change.kind) {
      case 'create':
      case 'edit':
        now.set(change.path, text(change.after))
        break
      case 'append':
        now.set(change.path, (held ?? '') + text(change.added))
        break
      case 'move':
        now.set(change.path, null)
        now.set(change.to, held)
        break
      case 'trash':
        now.set(change.path, null)
        if (held !== null && change.journalOnly !== true) trashed.push(held)
    }
  }
  const paths = new Set(
    set.changes.flatMap((change) => (change.kind === 'move' ? [change.path, change.to] : [change.path])),
  )
  const touched = [...paths].map((path) => [path, { old: disk.get(path) ?? null, new: now.get(path) ?? null }] as const)
  const moves = set.changes.flatMap((change): [string, string][] =>
    change.kind === 'move' && now.get(change.to) === disk.get(change.path) ? [[change.path, change.to]] : [],
  )
  return { touched: new Map(touched.filter(([path]) => isNoted(path))), moves, trashed }
}

/** The trash chooses its own names, and settings are nobody's notes. */
export function isNoted(path: string): boolean {
  return !path.startsWith('.trash/') && !path.startsWith('.obsidian/')
}

function text(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
