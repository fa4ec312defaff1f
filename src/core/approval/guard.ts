import type { Guard, ProposedCall, Provenance, Ruling, ToolContext } from '../tools/index.js'
import type { NotePath } from '../vault/index.js'
import { askPerson } from './ask-person.js'
import { typedWords, whatLeaves, wordOrigins } from './leaving/index.js'
import {
  type ConsentLevel,
  decide,
  type Explanation,
  explain,
  type Facts,
  type Grant,
  type GrantStore,
  gatherFacts,
  type JudgedCall,
  judgedCall,
  memoryGrants,
  taint,
  type Verdict,
} from './policy/index.js'
import { type RememberedGrant, rememberedGrants, type SessionGrant } from './remembered-grants.js'
import { type ApprovalDesk, approvalDesk, listOffers, type Offer } from './requests/index.js'
import type { Rule, RuleVocabulary } from './rules/index.js'
import { denied, unasked } from './rulings.js'
import { openedNotes, screenNotes } from './screen/index.js'

export interface GuardOptions {
  level: ConsentLevel
  /** From the command line, the config and the vault alike. A function where they may change meanwhile. */
  rules: readonly Rule[] | (() => readonly Rule[])
  vocabulary: RuleVocabulary | (() => RuleVocabulary)
  /** Decisions for always; without it they last as long as the guard. */
  grants?: GrantStore
  /** Where the person is asked; without one nobody can be. */
  desk?: ApprovalDesk
  /** A note's path with links in the folders above it resolved. Hosts whose folders can be links give it. */
  canonical?: (path: NotePath) => Promise<string>
  /** What an earlier part of this session left behind. */
  memory?: GuardMemory
  now?: () => number
}

/** What a guard must know again when its session is resumed. Plain data. */
export interface GuardMemory {
  /** What has come into the conversation. */
  seen: Provenance[]
  /** The notes among it, the latest last. */
  read: NotePath[]
  /** What the person typed. */
  typed: string[]
  /** What the person has decided for the session. */
  grants: SessionGrant[]
}

/** The guard of one session, with what a person may want to know and change about it. */
export interface SessionGuard extends Guard {
  level: ConsentLevel
  /** The person typed this: what leaves later is held against it. Never for text that came from elsewhere. */
  hear(text: string): void
  explain(proposed: ProposedCall, context: ToolContext): Promise<Explanation>
  /** Those in force now. */
  rules(): readonly Rule[]
  grants(): Promise<RememberedGrant[]>
  revoke(id: string): Promise<boolean>
  /** Kept with a session, given back when it is resumed. */
  memory(): GuardMemory
}

/** A call with everything the policy looked at, and what it said. */
export interface Judged {
  call: JudgedCall
  facts: Facts
  grants: Grant[]
  verdict: Verdict
}

/** Stands before every tool: decides, asks where the policy says so, and keeps from sight what may not be read. */
export function guard(options: GuardOptions): SessionGuard {
  const desk = options.desk ?? approvalDesk()
  const rules = () => (typeof options.rules === 'function' ? options.rules() : options.rules)
  const vocabulary = () => (typeof options.vocabulary === 'function' ? options.vocabulary() : options.vocabulary)
  const { grants = memoryGrants(), now = Date.now, memory } = options
  const remembered = rememberedGrants(grants, vocabulary, now, memory?.grants)
  const conversation = taint(memory?.seen, memory?.read)
  const typed = typedWords(memory?.typed)
  const opened = openedNotes()

  async function judge(proposed: ProposedCall, context: ToolContext): Promise<Judged> {
    const grants = await remembered.inForce(proposed.session, proposed.turn)
    const call = judgedCall(proposed)
    const facts = await gatherFacts(proposed, {
      context,
      rules: [...rules(), ...grants.map(({ rule }) => rule)],
      conversation,
      typed,
      canonical: options.canonical,
    })
    return { call, facts, grants, verdict: decide(call, facts, rules(), self.level, grants) }
  }

  function offersFor({ call, facts, grants }: Judged, proposed: ProposedCall): Offer[] {
    // Which notes to share is the person's to say each time, unless they write a rule themselves.
    if (call.picks) return []
    const lifts = (rule: Rule) => {
      const more: Grant = { id: '', rule, scope: { kind: 'vault' } }
      return decide(call, facts, rules(), self.level, [...grants, more]).asks.every(({ kind }) => kind === 'executable')
    }
    return listOffers(call, proposed, vocabulary(), lifts)
  }

  /** What the model is let to read is there for it from now on. */
  function open(proposed: ProposedCall, { picked }: Extract<Ruling, { verdict: 'allow' }>): void {
    const isShared = (path: NotePath) => picked === undefined || picked.includes(path) || !proposed.pick?.includes(path)
    for (const { path, access } of proposed.notes) if (access === 'reads' && isShared(path)) opened.add(path)
  }

  /** Where the words come from that would leave, when that is what it asks about. */
  async function origins({ verdict, facts }: Judged, proposed: ProposedCall, { vault }: ToolContext) {
    if (!verdict.asks.some(({ kind }) => kind === 'taint' || kind === 'words' || kind === 'loads')) return []
    const leaving = [...whatLeaves(proposed), ...facts.loads.map(({ url }) => ({ address: url }))]
    return wordOrigins(leaving, typed, conversation.notes(), vault)
  }

  async function ruleOn(proposed: ProposedCall, context: ToolContext): Promise<Ruling> {
    const judged = await judge(proposed, context)
    const { verdict } = judged
    if (verdict.effect === 'allow') {
      return { verdict: 'allow', decision: proposed.edited ? 'edited' : 'allowed', rule: verdict.rule }
    }
    if (verdict.effect === 'deny' && verdict.asks.length === 0) return denied(verdict, proposed)
    const offers = offersFor(judged, proposed)
    if (verdict.effect === 'deny' || !desk.canAsk) return unasked(verdict, proposed, offers)
    return askPerson(proposed, {
      desk,
      remembered,
      offers,
      verdict,
      vault: context.vault,
      loads: judged.facts.loads,
      words: await origins(judged, proposed, context),
      hear: (text) => typed.hear(text),
      signal: context.signal,
      judgeAgain: async () => (await judge(proposed, context)).verdict,
    })
  }

  const self: SessionGuard = {
    level: options.level,

    async rule(proposed, context) {
      const ruling = await ruleOn(proposed, context)
      if (ruling.verdict === 'allow') open(proposed, ruling)
      return ruling
    },

    async forbids(proposed, context) {
      const { verdict } = await judge(proposed, context)
      const isByRule = verdict.effect === 'deny' && verdict.rule.startsWith('deny:')
      return isByRule ? denied(verdict, proposed) : undefined
    },

    screen: (context) => screenNotes(context, rules(), opened),

    hear: (text) => typed.hear(text),
    observe: (provenance, notes = []) => conversation.observe(provenance, notes),
    memory: () => ({
      seen: conversation.seen(),
      read: conversation.notes(),
      typed: typed.texts(),
      grants: remembered.ofSession(),
    }),

    async explain(proposed, context) {
      const { call, facts, grants } = await judge(proposed, context)
      return explain(call, facts, rules(), self.level, grants)
    },
    rules,
    grants: () => remembered.all(),
    revoke: (id) => remembered.revoke(id),
  }
  return self
}
