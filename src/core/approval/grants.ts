import type { ProposedCall } from '../tools/index.js'
import type { Scope } from './approval-request.js'
import { parseRule, type Rule, type RuleVocabulary } from './rules.js'

/** A remembered decision: an allow rule with a limited scope. */
export interface Grant {
  id: string
  /** Always `allow`. */
  rule: Rule
  scope: GrantScope
}

/** How long a grant applies. */
export type GrantScope =
  | { kind: 'turn'; session: string; turn: string }
  | { kind: 'session'; session: string }
  /** Always, in this vault. */
  | { kind: 'vault' }

/** True if a grant applies in this session and turn. */
function isInForce({ scope }: Grant, session: string, turn: string | undefined): boolean {
  if (scope.kind === 'vault') return true
  return scope.session === session && (scope.kind === 'session' || scope.turn === turn)
}

/** A permanent grant as stored. The rule is text, so that people can read it. */
export interface StoredGrant {
  id: string
  /** Without `allow:`, for example `edit_note(Projects/**)`. */
  rule: string
  /** ISO 8601. */
  createdAt: string
  /** The tool's title: "Edit note". */
  about?: string
}

/** Stores permanent grants outside the vault, so that nothing in the vault can add one. */
export interface GrantStore {
  /** Reads the current state: other processes may change it. */
  load(): Promise<StoredGrant[]>
  add(grant: StoredGrant): Promise<void>
  /** Returns false if there is none. */
  revoke(id: string): Promise<boolean>
}

/** An in-memory store, for tests and hosts without files. */
export function memoryGrants(...initial: StoredGrant[]): GrantStore {
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

/** A grant as listed for a user. */
export interface RememberedGrant {
  id: string
  rule: string
  scope: 'turn' | 'session' | 'vault'
  createdAt: string
  about?: string
  /** Why it is not in force: its tool is missing. */
  waits?: string
}

/** A session grant as saved with the session. Plain data. */
export interface SessionGrant {
  id: string
  /** As it was shown. */
  rule: string
  createdAt: string
  about: string
}

export interface RememberedGrants {
  inForce(session: string, turn: string | undefined): Promise<Grant[]>
  /** Stores the rule that was shown. Does nothing for `once`. */
  remember(scope: Scope, rule: string | undefined, proposed: ProposedCall): Promise<void>
  all(): Promise<RememberedGrant[]>
  revoke(id: string): Promise<boolean>
  /** The session grants, to be saved with the session. */
  ofSession(): SessionGrant[]
}

interface OwnGrant extends SessionGrant {
  scope: Extract<Grant['scope'], { kind: 'turn' | 'session' }>['kind']
  /** Absent after a resume: then it is the current session. */
  session?: string
  /** For grants that last a turn. */
  turn?: string
}

/** Session and turn grants in memory, permanent ones in the store. */
export function rememberedGrants(
  store: GrantStore,
  vocabulary: () => RuleVocabulary,
  now: () => number,
  resumed: readonly SessionGrant[] = [],
): RememberedGrants {
  let own: OwnGrant[] = resumed.map((grant) => ({ ...grant, scope: 'session' }))
  const parsed = new Map<string, Rule>()

  function ruleOf(text: string): Rule {
    const known = parsed.get(text) ?? parseRule(text, vocabulary(), { effect: 'allow', from: 'grant' })
    parsed.set(text, known)
    return known
  }

  /** A rule for a missing tool is inactive until the tool is back. */
  function ruleOrReason(text: string): Rule | string {
    try {
      return ruleOf(text)
    } catch (error) {
      return (error as Error).message
    }
  }

  return {
    async inForce(session, turn) {
      const kept: Grant[] = []
      for (const { id, rule: text } of await store.load()) {
        const rule = ruleOrReason(text)
        if (typeof rule !== 'string') kept.push({ id, rule, scope: { kind: 'vault' } })
      }
      const ours = own.flatMap(({ id, rule: text, ...of }): Grant[] => {
        const rule = ruleOrReason(text)
        if (typeof rule === 'string') return []
        const owner = of.session ?? session
        return [
          {
            id,
            rule,
            scope:
              of.turn === undefined
                ? { kind: 'session', session: owner }
                : { kind: 'turn', session: owner, turn: of.turn },
          },
        ]
      })
      return [...ours.filter((grant) => isInForce(grant, session, turn)), ...kept]
    },

    async remember(scope, text, proposed) {
      const { session, turn, tool } = proposed
      const grant = { id: crypto.randomUUID(), createdAt: new Date(now()).toISOString(), about: tool.title }
      // Every further call of this tool in this turn, for any notes.
      if (scope === 'change-set' && turn !== undefined) {
        own.push({ ...grant, rule: ruleOf(tool.name).text, scope: 'turn', session, turn })
      }
      if (text === undefined) return
      // Parses now, so that an invalid rule fails immediately.
      if (scope === 'session') own.push({ ...grant, rule: ruleOf(text).text, scope: 'session', session })
      if (scope === 'always') await store.add({ ...grant, rule: text })
    },

    async all() {
      const kept = await store.load()
      return [
        ...own.map(({ id, rule, scope, createdAt, about }) => ({ id, rule, scope, createdAt, about })),
        ...kept.map((grant) => {
          const rule = ruleOrReason(grant.rule)
          return { ...grant, scope: 'vault' as const, ...(typeof rule === 'string' && { waits: rule }) }
        }),
      ]
    },

    async revoke(id) {
      const left = own.filter((grant) => grant.id !== id)
      const isOwn = left.length < own.length
      own = left
      return (await store.revoke(id)) || isOwn
    },

    ofSession: () =>
      own.flatMap(({ id, rule, scope, createdAt, about }) =>
        scope === 'session' ? [{ id, rule, createdAt, about }] : [],
      ),
  }
}
