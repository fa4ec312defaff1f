import { type ChangeSet, describeSteps, hashBytes } from '../../vault/index.js'

/** A hash of everything a change set will do: paths, the bytes it was planned from and the bytes it leaves. */
export function fingerprint(set: ChangeSet): string {
  return hashBytes(new TextEncoder().encode(JSON.stringify([set.id, set.session ?? null, describeSteps(set)])))
}
