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

export interface RememberedGrants {
  inForce(session: string, turn: string | undefined): Promise<Grant[]>
  /** Keeps what an answer said, as the literal rule that was shown. `once` keeps nothing. */
  remember(scope: Scope, rule: string | undefined, proposed: ProposedCall): Promise<void>
  all(): Promise<RememberedGrant[]>
  revoke(id: string): Promise<boolean>
}

/** Grants of this session in memory, and those for always in the store. */
export function rememberedGrants(
  store: GrantStore,
  vocabulary: () => RuleVocabulary,
  now: () => number,
): RememberedGrants {
  let own: { grant: Grant; createdAt: string; about: string }[] = []
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
      return [...own.flatMap(({ grant }) => (isInForce(grant, session, turn) ? [grant] : [])), ...kept]
    },

    async remember(scope, text, proposed) {
      const { session, turn, tool } = proposed
      const id = crypto.randomUUID()
      const createdAt = new Date(now()).toISOString()
      const keep = (rule: Rule, grantScope: Grant['scope']) =>
        void own.push({ grant: { id, rule, scope: grantScope }, createdAt, about: tool.title })
      if (scope === 'change-set' && turn !== undefined) keep(theseNotes(proposed), { kind: 'turn', session, turn })
      if (text === undefined) return
      if (scope === 'session') keep(ruleOf(text), { kind: 'session', session })
      if (scope === 'always') await store.add({ id, rule: text, createdAt, about: tool.title })
    },

    async all() {
      const kept = await store.load()
      return [
        ...own.map(({ grant, ...rest }) => ({ id: grant.id, rule: grant.rule.text, scope: grant.scope.kind, ...rest })),
        ...kept.map((grant) => {
          const rule = ruleOrReason(grant.rule)
          return { ...grant, scope: 'vault' as const, ...(typeof rule === 'string' && { waits: rule }) }
        }),
      ]
    },

    async revoke(id) {
      const left = own.filter(({ grant }) => grant.id !== id)
      const isOwn = left.length < own.length
      own = left
      return (await store.revoke(id)) || isOwn
    },
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
