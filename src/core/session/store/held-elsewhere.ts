import { Failure } from '../../errors.js'

/** Two writers would tear a conversation apart; the second may read it, or go on from a copy. */
export function heldElsewhere(id: string, who: string): Failure {
  return new Failure('conflict', `The session ${id} is open in ${who}.`, {
    hint: 'Close it there, only read it here, or go on in a copy of it.',
    command: `notewright sessions fork ${id}`,
    data: { session: id, holder: who },
  })
}
