import { IndexCorrupt } from '../vault-index/index.js'
import { discardIndex } from './begin-anew.js'
import { updateOnce } from './bring-up-to-date.js'
import type { OpenParts } from './open-parts.js'

/**
 * Where the index turns out to be damaged it is made again, and the question asked again. Questions that come meanwhile
 * wait, and one that was under way is asked again too: of an index half made nobody gets an answer.
 */
export async function withRepair<T>(parts: OpenParts, question: () => Promise<T>): Promise<T> {
  for (let isSecond = false; ; isSecond = true) {
    await parts.repair
    const before = parts.repair
    try {
      const answer = await question()
      if (parts.repair === before) return answer
    } catch (error) {
      if (!(error instanceof IndexCorrupt) || isSecond) throw error
      if (parts.repair === before) beginRepair(parts, error)
    }
  }
}

function beginRepair(parts: OpenParts, why: IndexCorrupt): void {
  const repair = discardIndex(parts, why.message).then(() => updateOnce(parts, { vectors: false }))
  parts.repair = repair
  // Who waits for it hears of a failure; who comes later tries again.
  repair.catch(() => {
    if (parts.repair === repair) parts.repair = undefined
  })
}

/** The same questions, each asked again of a repaired index where need be, and none while the vault's rules are unread. */
export function repairing<Questions extends object>(parts: OpenParts, questions: Questions): Questions {
  const repaired = Object.entries(questions as Record<string, (...given: unknown[]) => unknown>).map(([name, ask]) => [
    name,
    (...given: unknown[]) =>
      withRepair(parts, async () => {
        await parts.vault.checkRules()
        return ask(...given)
      }),
  ])
  return Object.fromEntries(repaired) as Questions
}
