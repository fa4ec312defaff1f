import type { Allow, Decision, GroupMember, Guard, ProposedCall, Provenance, ToolContext } from '../tools/index.js'
import type { NotePath } from '../vault/index.js'
import { type ApprovalQueue, approvalQueue } from './approval-queue.js'
import type { Offer } from './approval-request.js'
import { askPerson, deniedByPolicy, needsApproval } from './ask-person.js'
import { listOffers } from './build-request.js'
import { type CallFacts, gatherFacts } from './call-facts.js'
import type { ConsentLevel } from './consent-level.js'
import {
  type Grant,
  type GrantStore,
  memoryGrants,
  type RememberedGrant,
  rememberedGrants,
  type SessionGrant,
} from './grants.js'
import { type ConversationSources, conversationSources, outboundContent, typedText, wordOrigins } from './outbound.js'
import { type Explanation, evaluatePolicy, explainPolicy, type PolicyResult } from './policy.js'
import type { Rule, RuleVocabulary } from './rules.js'
import { approvedNotes, filterVisible } from './visibility.js'

/** Options of `guard`: approval level, rules, grants and approval queue. */
export interface GuardOptions {
  level: ConsentLevel
  /** From the command line, the config and the vault alike. A function where they may change meanwhile. */
  rules: readonly Rule[] | (() => readonly Rule[])
  vocabulary: RuleVocabulary | (() => RuleVocabulary)
  /** Decisions for always; without it they last as long as the guard. */
  grants?: GrantStore
  /** Asks the user. Without a queue, calls that need approval are denied. */
  approvals?: ApprovalQueue | undefined
  /** A note's path with links in the folders above it resolved. Hosts whose folders can be links give it. */
  canonical?: ((path: NotePath) => Promise<string>) | undefined
  /** The memory of the session before it was resumed. */
  memory?: GuardMemory | undefined
  /** Remembers what has come in, where that is more than this session: all that one client has read. */
  sources?: ConversationSources | undefined
  now?: () => number
}

/** State of a guard that is stored with its session. Plain data. */
export interface GuardMemory {
  /** The kinds of text in the conversation. */
  seen: Provenance[]
  /** The notes among it, the latest last. */
  read: NotePath[]
  /** Text that the user typed. */
  typed: string[]
  /** Grants for the session. */
  grants: SessionGrant[]
}

/** The guard of one session, and the settings a user may inspect and change. */
export interface SessionGuard extends Guard {
  level: ConsentLevel
  /** Records text the user typed: outgoing text is compared with it. Never for text from elsewhere. */
  recordUserText(text: string): void
  explain(proposed: ProposedCall, context: ToolContext): Promise<Explanation>
  /** The current rules. */
  rules(): readonly Rule[]
  grants(): Promise<RememberedGrant[]>
  revoke(id: string): Promise<boolean>
  /** Saved with a session and restored when it is resumed. */
  memory(): GuardMemory
}

/**
 * Creates the guard of a session: it decides on calls, asks the user if the policy says so, and hides notes that may
 * not be read.
 */
export function guard(options: GuardOptions): SessionGuard {
  const desk = options.approvals ?? approvalQueue()
  const rules = () => (typeof options.rules === 'function' ? options.rules() : options.rules)
  const vocabulary = () => (typeof options.vocabulary === 'function' ? options.vocabulary() : options.vocabulary)
  const { grants = memoryGrants(), now = Date.now, memory } = options
  const remembered = rememberedGrants(grants, vocabulary, now, memory?.grants)
  const conversation = options.sources ?? conversationSources(memory?.seen, memory?.read)
  const typed = typedText(memory?.typed)
  const opened = approvedNotes()

  async function applyPolicy(proposed: ProposedCall, context: ToolContext) {
    const grants = await remembered.inForce(proposed.session, proposed.turn)
    const facts = await gatherFacts(proposed, {
      context,
      rules: [...rules(), ...grants.map(({ rule }) => rule)],
      conversation,
      typed,
      canonical: options.canonical,
    })
    return { facts, grants, policy: evaluatePolicy(facts, rules(), self.level, grants) }
  }

  function offersFor(proposed: ProposedCall, facts: CallFacts, grants: readonly Grant[]): Offer[] {
    // The user picks the notes to share every time, unless a rule of their own allows it.
    if (facts.picks) return []
    const lifts = (rule: Rule) => {
      const more: Grant = { id: '', rule, scope: { kind: 'vault' } }
      const { asks } = evaluatePolicy(facts, rules(), self.level, [...grants, more])
      return asks.every(({ kind }) => kind === 'executable')
    }
    return listOffers(proposed, vocabulary(), lifts)
  }

  /** A note that the model was allowed to read stays visible. */
  function open(proposed: ProposedCall, { picked }: Allow): void {
    const isShared = (path: NotePath) => picked === undefined || picked.includes(path) || !proposed.pick?.includes(path)
    for (const { path, access } of proposed.notes) if (access === 'reads' && isShared(path)) opened.add(path)
  }

  /** The origins of the words that would be sent, if the request is about them. */
  async function originsOfSentWords(
    proposed: ProposedCall,
    { loads }: CallFacts,
    { asks }: PolicyResult,
    { vault }: ToolContext,
  ) {
    if (!asks.some(({ kind }) => kind === 'taint' || kind === 'words' || kind === 'loads')) return []
    const outbound = [...outboundContent(proposed), ...loads.map(({ url }) => ({ address: url }))]
    return wordOrigins(outbound, typed, conversation.notes(), vault)
  }

  async function decide(proposed: ProposedCall, context: ToolContext, member?: GroupMember): Promise<Decision> {
    const { facts, grants, policy } = await applyPolicy(proposed, context)
    if (policy.effect === 'allow') {
      return { verdict: 'allow', loggedAs: proposed.edited ? 'edited' : 'allowed', rule: policy.rule }
    }
    if (policy.effect === 'deny' && policy.asks.length === 0) return deniedByPolicy(policy, proposed)
    const offers = offersFor(proposed, facts, grants)
    if (policy.effect === 'deny' || !desk.canAsk) return needsApproval(policy, proposed, offers)
    return askPerson(proposed, {
      approvalQueue: desk,
      remembered,
      offers,
      policy,
      vault: context.vault,
      loads: facts.loads,
      words: await originsOfSentWords(proposed, facts, policy, context),
      recordUserText: (text) => typed.add(text),
      signal: context.signal,
      member,
      applyPolicyAgain: async () => (await applyPolicy(proposed, context)).policy,
    })
  }

  const self: SessionGuard = {
    level: options.level,

    async decide(proposed, context, member) {
      const decision = await decide(proposed, context, member)
      if (decision.verdict === 'allow') open(proposed, decision)
      return decision
    },

    async findDenial(proposed, context) {
      const { policy } = await applyPolicy(proposed, context)
      return policy.restriction?.effect === 'deny' ? deniedByPolicy(policy, proposed) : undefined
    },

    filterVisible: (context) => filterVisible(context, rules(), opened),

    recordUserText: (text) => typed.add(text),
    observe: (provenance, notes = []) => conversation.observe(provenance, notes),
    memory: () => ({
      seen: conversation.seen(),
      read: conversation.notes(),
      typed: typed.texts(),
      grants: remembered.ofSession(),
    }),

    async explain(proposed, context) {
      const { facts, grants } = await applyPolicy(proposed, context)
      return explainPolicy(facts, rules(), self.level, grants)
    },
    rules,
    grants: () => remembered.all(),
    revoke: (id) => remembered.revoke(id),
  }
  return self
}
