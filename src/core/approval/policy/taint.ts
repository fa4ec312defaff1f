import type { Provenance } from '../../tools/index.js'

/** What has come into a conversation. Once there, it does not leave it. */
export interface Taint {
  observe(provenance: Iterable<Provenance>): void
  /** The person's own words and someone else's are both there, so the latter could carry the former out. */
  isTainted(): boolean
  /** To be kept with a session that will be resumed. */
  seen(): Provenance[]
}

export function taint(before: Iterable<Provenance> = []): Taint {
  const seen = new Set<Provenance>(before)
  return {
    observe(provenance) {
      for (const origin of provenance) seen.add(origin)
    },
    isTainted: () => seen.has('own-note') && (['clipped', 'web', 'mcp'] as const).some((origin) => seen.has(origin)),
    seen: () => [...seen],
  }
}
