import type { RequestDraft } from './draft-request.js'

type Refused = Pick<RequestDraft, 'session' | 'turn' | 'repeatKey'>

/** What the person has refused in the current turn of each session, so that nobody wears them down by asking again. */
export interface Denials {
  add(draft: Refused): void
  has(draft: Refused): boolean
}

export function denials(): Denials {
  const bySession = new Map<string, { turn: string; keys: Set<string> }>()
  return {
    add({ session, turn, repeatKey }) {
      if (turn === undefined) return
      const known = bySession.get(session)
      if (known?.turn === turn) known.keys.add(repeatKey)
      else bySession.set(session, { turn, keys: new Set([repeatKey]) })
    },
    has({ session, turn, repeatKey }) {
      const known = bySession.get(session)
      return turn !== undefined && known?.turn === turn && known.keys.has(repeatKey)
    },
  }
}
