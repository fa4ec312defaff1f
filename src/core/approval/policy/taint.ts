import type { Provenance } from '../../tools/index.js'
import type { NotePath } from '../../vault/index.js'

/** What has come into a conversation. Once there, it does not leave it. */
export interface Taint {
  observe(provenance: Iterable<Provenance>, notes: Iterable<NotePath>): void
  /** The person's own words and someone else's are both there, so the latter could carry the former out. */
  isTainted(): boolean
  /** Some note was read, whoever wrote it: nobody can tell by its looks. */
  hasNotes(): boolean
  /** Nothing but the person's own messages is there. */
  isEmpty(): boolean
  /** To be kept with a session that will be resumed. */
  seen(): Provenance[]
  /** The notes that were read, the latest last. */
  notes(): NotePath[]
}

/** So many notes are remembered by name, to say where words come from. */
const mostNotes = 500

export function taint(before: Iterable<Provenance> = [], read: Iterable<NotePath> = []): Taint {
  const seen = new Set<Provenance>(before)
  const notes = new Set<NotePath>(read)
  return {
    observe(provenance, paths) {
      for (const origin of provenance) seen.add(origin)
      for (const path of paths) {
        notes.delete(path)
        notes.add(path)
      }
      for (const oldest of notes) {
        if (notes.size <= mostNotes) break
        notes.delete(oldest)
      }
    },
    isTainted: () => seen.has('own-note') && (['clipped', 'web', 'mcp'] as const).some((origin) => seen.has(origin)),
    hasNotes: () => seen.has('own-note') || seen.has('clipped'),
    isEmpty: () => seen.size === 0,
    seen: () => [...seen],
    notes: () => [...notes],
  }
}
