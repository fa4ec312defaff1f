/** A grant for always as it is kept: the rule as text, so that a person can read it. */
export interface KeptGrant {
  id: string
  /** Without the effect, which is always allow: `edit_note(Projects/**)`. */
  rule: string
  /** ISO 8601. */
  createdAt: string
  /** What was asked when it was given: "Edit note". */
  about?: string
}

/** Where decisions for always live: outside the vault, so that nothing in it can add one. */
export interface GrantStore {
  /** As of now: another process may have added or revoked some. */
  load(): Promise<KeptGrant[]>
  add(grant: KeptGrant): Promise<void>
  /** Answers whether there was one. */
  revoke(id: string): Promise<boolean>
}

/** Grants that last as long as the process, for tests and for hosts without files. */
export function memoryGrants(...initial: KeptGrant[]): GrantStore {
  let kept = [...initial]
  return {
    load: async () => [...kept],
    async add(grant) {
      kept = [...kept.filter(({ rule }) => rule !== grant.rule), grant]
    },
    async revoke(id) {
      const left = kept.filter((grant) => grant.id !== id)
      const isFound = left.length < kept.length
      kept = left
      return isFound
    },
  }
}
