import type { Freshness, UnseenChanges } from '../vault-index/index.js'
import { fewFiles, nothingUnseen, type OpenParts } from './open-parts.js'

/** What the index has not seen, looked for once until something happens. */
export async function lookForChanges(parts: OpenParts): Promise<UnseenChanges> {
  if (parts.unseen === undefined) {
    const sum = parts.sumAhead
    parts.sumAhead = undefined
    const found = await parts.index.unseenChanges({ sum })
    // Of many, the number is enough: whoever reads them lists them again.
    parts.unseen = found.count > 0 && found.count <= fewFiles ? found : { ...nothingUnseen, count: found.count }
  }
  return parts.unseen
}

export async function freshness(parts: OpenParts): Promise<Freshness> {
  const { count } = await lookForChanges(parts)
  const left = parts.catchingUp?.left ?? count
  if (count > 0) return `catching up (${Math.max(1, left)} left)`
  return (await lostVectors(parts)).vectorsLostBy === undefined ? 'fresh' : 'without vectors'
}

export async function lostVectors(parts: OpenParts): Promise<{ vectorsLostBy?: string }> {
  const vectorsLostBy = parts.wantsVectors ? await parts.index.vectorsLostBy() : undefined
  return vectorsLostBy === undefined ? {} : { vectorsLostBy }
}
