import { randomSource } from './random-source.js'

/** Most units a fit looks at. Fitting on a sample this large loses nothing that can be measured. */
export const fitLimit = 10_000

/** Below this many units latent semantics has no weight in the ranking, so nothing is fitted. */
export const smallestFit = 64

export interface FitAge {
  /** Units the model was fitted on, after sampling; 0 when there is no model. */
  fittedUnits: number
  /** Units the vault had at that time. */
  unitsAtFit: number
  addedOrRemovedSinceFit: number
  /** Units the vault has now. */
  units: number
}

/** Whether the vault has outgrown its model. Until a new one is ready, new units get their vectors from the old one. */
export function shouldRefit({ fittedUnits, unitsAtFit, addedOrRemovedSinceFit, units }: FitAge): boolean {
  if (units < smallestFit) return false
  if (fittedUnits === 0) return true
  if (addedOrRemovedSinceFit > fittedUnits) return true
  // A young vault's first notes say little about what it will become.
  return [smallestFit, 256, 1024].some((threshold) => unitsAtFit < threshold && units >= threshold)
}

/** At most `limit` of the numbers below `count`, ascending; every choice is equally likely. */
export function sampleUnits(count: number, limit: number, seed = 1): Int32Array {
  const wanted = Math.min(count, limit)
  const sample = new Int32Array(wanted)
  const random = randomSource(seed)
  let taken = 0
  for (let unit = 0; taken < wanted; unit++) {
    if (random() * (count - unit) < wanted - taken) sample[taken++] = unit
  }
  return sample
}
