import { type ChangeSet, hashBytes } from '../../vault/index.js'

/** A hash of everything a change set will do: paths, the bytes it was planned from and the bytes it leaves. */
export function fingerprint(set: ChangeSet): string {
  const steps = set.changes.map((change) => ({
    kind: change.kind,
    path: change.path,
    ...('to' in change && { to: change.to }),
    ...('before' in change && { before: change.before }),
    ...('after' in change && { after: hashBytes(change.after) }),
    ...('added' in change && { added: hashBytes(change.added) }),
  }))
  return hashBytes(new TextEncoder().encode(JSON.stringify([set.id, set.session ?? null, set.emptied ?? [], steps])))
}
