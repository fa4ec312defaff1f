import { beginAnew } from './begin-anew.js'
import { updateOnce } from './bring-up-to-date.js'
import type { OpenParts } from './open-parts.js'

/** Where the index turns out to be damaged it is made again, and the question asked again. */
export function withRepair<T>(parts: OpenParts, question: () => Promise<T>): Promise<T> {
  return beginAnew(parts, async (isNew) => {
    if (isNew) await updateOnce(parts, { vectors: false })
    return question()
  })
}

/** The same questions, each asked again of a repaired index where need be. */
export function repairing<Questions extends object>(parts: OpenParts, questions: Questions): Questions {
  const repaired = Object.entries(questions).map(([name, ask]) => [
    name,
    (...given: unknown[]) => withRepair(parts, () => ask(...given)),
  ])
  return Object.fromEntries(repaired) as Questions
}
