import type { ProposedCall } from '../tools/index.js'
import { type Grant, type GrantStore, isInForce } from './policy/index.js'
import type { Scope } from './requests/index.js'
import { parseRule, type Rule, type RuleVocabulary } from './rules/index.js'

/** A grant as a person sees it in a list. */
export interface RememberedGrant {
  id: string
  rule: string
  scope: 'turn' | 'session' | 'vault'
  createdAt: string
  about?: string
  /** Why it is not in force: a tool that is not there now. */
  waits?: string
}

/** A decision for a session, as it is kept with it. Plain data. */
export interface SessionGrant {
  id: string
  /** As it was shown. */
  rule: string
  createdAt: string
  about: string
}

export interface RememberedGrants {
  inForce(session: string, turn: string | undefined): Promise<Grant[]>
  /** Keeps what an answer said, as the literal rule that was shown. `once` keeps nothing. */
  remember(scope: Scope, rule: string | undefined, proposed: ProposedCall): Promise<void>
  all(): Promise<RememberedGrant[]>
  revoke(id: string): Promise<boolean>
  /** Those for the session, to be given back when it is resumed. */
  ofSession(): SessionGrant[]
}

interface OwnGrant extends SessionGrant {
  scope: Extract<Grant['scope'], { kind: 'turn' | 'session' }>['kind']
  /** Absent in one that was resumed: it is this session's. */
  session?: string
  /** Of one for a turn alone. */
  turn?: string
  /** Of a rule that no text could say. */
  parsed?: Rule
}

/** Grants of this session in memory, and those for always in the store. */
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

  /** A rule for a tool that is not there now allows nothing, and comes back with the tool. */
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
      const ours = own.flatMap(({ id, rule: text, parsed: made, ...of }): Grant[] => {
        const rule = made ?? ruleOrReason(text)
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
      if (scope === 'change-set' && turn !== undefined) {
        const parsed = theseNotes(proposed)
        own.push({ ...grant, rule: parsed.text, parsed, scope: 'turn', session, turn })
      }
      if (text === undefined) return
      // A rule that cannot be read fails here, not when it is first needed.
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

/** This tool on these very notes, for the rest of the turn. */
function theseNotes({ tool, notes }: ProposedCall): Rule {
  const paths = notes.map(({ path }) => path)
  return {
    effect: 'allow',
    subject: { kind: 'tool', name: tool.name },
    selector: { kind: 'notes', paths },
    text: `${tool.name}(${paths.join(' | ')})`,
    from: 'grant',
  }
}
