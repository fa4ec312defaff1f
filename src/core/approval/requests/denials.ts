import type { RequestDraft } from './draft-request.js'

type Refused = Pick<RequestDraft, 'turn' | 'repeatKey'>

/** What the person has refused in the current turn of a session, so that nobody wears them down by asking again. */
export interface Denials {
  add(draft: Refused): void
  has(draft: Refused): boolean
}

export function denials(): Denials {
  let current: { turn: string; keys: Set<string> } | undefined
  return {
    add({ turn, repeatKey }) {
      if (turn === undefined) return
      if (current?.turn === turn) current.keys.add(repeatKey)
      else current = { turn, keys: new Set([repeatKey]) }
    },
    has: ({ turn, repeatKey }) => turn !== undefined && current?.turn === turn && current.keys.has(repeatKey),
  }
}
