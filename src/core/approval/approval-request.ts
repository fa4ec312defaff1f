import type { MoveImpact } from '../index/index.js'
import type { EditedResult, Effect, JsonSchema, Notice, ReachedNote } from '../tools/index.js'
import type { AcceptedHunks, ChangeRule, Hunk, NotePath, ShownChange } from '../vault/index.js'
import type { LoadedAddress } from './call-facts.js'
import type { WordOrigin } from './outbound.js'

/** A panel in a front end: a call, a list of calls, or a question from an MCP server. */
export type UserRequest = ApprovalRequest | ApprovalBatch | Question
/** An answer to a panel. */
export type UserAnswer = ApprovalAnswer | BatchAnswer | QuestionAnswer

/** Everything the user sees before approving, and all a front end needs to show it. Plain data. */
export interface ApprovalRequest {
  kind: 'call' | 'executable'
  id: string
  /** Binds the answer to what is shown; sent back with it. */
  hash: string
  session: string
  turn?: string
  callId: string
  /** Milliseconds since the epoch. */
  createdAt: number
  expiresAt: number
  /** `purpose`: the first sentence of the tool's description. */
  tool: { name: string; title: string; source: string; effects: readonly Effect[]; purpose?: string }
  /** One line that describes the effect. */
  title: string
  /** Why the user is asked, the strongest reason first. */
  reasons: readonly string[]
  /** The arguments, complete. */
  input: unknown
  /** The tool's input schema, for an edit form; absent if the arguments cannot be edited. */
  schema?: JsonSchema
  /** The user has already changed the arguments once. */
  edited: boolean
  notes: readonly ReachedNote[]
  /** Each planned change with its diff. */
  changes?: readonly ShownChange[]
  /** Hunks that can be accepted one by one; absent if there are fewer than two. */
  hunks?: readonly ChangeHunks[]
  /** The text that each change leaves, for an edit form; absent if the text cannot be edited. */
  results?: readonly EditedResult[]
  /** The rules of a change of many notes. Rejecting one means approving the arguments without it. */
  rules?: readonly ChangeRule[]
  impact?: MoveImpact
  notices: readonly Notice[]
  /** Number of invisible characters in the request (see `visibleText`). */
  hidden?: number
  /** Requests the call would send, with full addresses and payloads. */
  sends: readonly { url: string; payload?: string; bytes: number }[]
  /** Addresses that opening a changed note would load. */
  loads: readonly LoadedAddress[]
  /** Origins of the words in `sends` and `loads`, if the request is about them. */
  words: readonly WordOrigin[]
  /** Notes of which the user picks those to share. */
  pick?: readonly NotePath[]
  /** Their sizes in bytes. */
  pickBytes?: Readonly<Record<string, number>>
  /** The available scopes. `session` and `always` remember one of `offers`. */
  scopes: readonly Scope[]
  /** The literal rules that `session` or `always` would remember, the narrowest first. */
  offers: readonly Offer[]
  /** The answer for Enter. `allow` only for plain reads. */
  safeDefault: 'allow' | 'deny'
  /** Requests of this session in the last minute, including this one. */
  askedLately: number
}

/** The hunks of one change, numbered as in `acceptHunks`. */
export interface ChangeHunks {
  /** Position of the change in the set. */
  change: number
  path: NotePath
  hunks: readonly Hunk[]
}

/** A rule that the user can remember when allowing a request. */
export interface Offer {
  rule: string
  about: 'note' | 'folder' | 'domain' | 'tool'
}

/** Many waiting requests as one list. Requests without an answer are denied. */
export interface ApprovalBatch {
  kind: 'batch'
  id: string
  /** Binds the answer to the whole list. */
  hash: string
  session: string
  requests: readonly ApprovalRequest[]
  expiresAt: number
}

/** How long an answer counts, and the texts of each scope in every front end. A new scope is one more entry. */
const scopeTexts = {
  once: { key: 'y', short: 'yes', about: 'Just this once', decided: '', form: 'allow once' },
  'change-set': {
    key: 't',
    short: 'this tool for this turn',
    about: 'All calls of this tool in this turn',
    decided: ' for this turn',
  },
  session: {
    key: 's',
    short: 'this chat',
    about: 'Until this chat ends:',
    decided: ' for this chat',
    form: 'allow for this session',
    until: 'until this chat ends',
  },
  always: {
    key: 'a',
    short: 'always',
    about: 'Always in this vault:',
    decided: ' always',
    until: 'always in this vault',
  },
} satisfies Record<string, ScopeText>

interface ScopeText {
  /** Letter and word in a terminal. */
  key: string
  short: string
  /** The label in the panel. */
  about: string
  /** Completes "You allowed". */
  decided: string
  /** The entry in a form of an MCP client; absent if it is not offered there. */
  form?: string
  /** Completes "Allow …, without asking". Set if one of the offers is remembered. */
  until?: string
}

/** How long an allowing answer applies. */
export type Scope = keyof typeof scopeTexts

/** One way to allow a request. */
export interface AllowChoice extends ScopeText {
  scope: Scope
  /** The rules it can remember, one of which is chosen; empty if none is. */
  rules: readonly string[]
}

/** The ways to allow a request. Every front end draws this list. */
export function allowChoices({ scopes, offers }: Pick<ApprovalRequest, 'scopes' | 'offers'>): AllowChoice[] {
  return Object.entries(scopeTexts).flatMap(([name, text]: [string, ScopeText]) => {
    const scope = name as Scope
    const rules = text.until === undefined ? [] : offers.map(({ rule }) => rule)
    const isOffered = scopes.includes(scope) && (text.until === undefined || rules.length > 0)
    return isOffered ? [{ scope, ...text, rules }] : []
  })
}

/** Completes "You allowed". */
export const decidedText = (scope: Scope): string => scopeTexts[scope].decided

/** An answer to one request: allow it, in part or with other arguments, or deny it. */
export type ApprovalAnswer =
  | {
      verdict: 'allow'
      /** Default: `once`. */
      scope?: Scope
      /** With `session` and `always`: which of the offers. Default: the first. */
      rule?: string
      /** The notes to share, if the request has `pick`. */
      picked?: readonly string[]
      /** The hunks to accept. Changes not listed are accepted whole. */
      hunks?: readonly AcceptedHunks[] | undefined
      /** Edited arguments: the call is proposed and decided again. */
      input?: unknown
      /** Edited text of some `results`: the change is shown and decided again with it. */
      results?: readonly EditedResult[]
      /** Rewrite links in hidden notes too; the request is shown again with them. */
      touchesHidden?: true
    }
  | { verdict: 'deny'; words?: string | undefined }

/** An answer for each request of a batch by its id; those left out are denied. */
export interface BatchAnswer {
  verdict: 'each'
  answers: Readonly<Record<string, ApprovalAnswer>>
}

/** A front end. Returning undefined or throwing denies. The signal aborts when the panel is closed. */
export type AskUser = (panel: UserRequest, signal: AbortSignal) => Promise<UserAnswer | undefined>

/** Decides one request. Throwing denies. The signal aborts when the request expires or its turn is stopped. */
export type Approve = (request: ApprovalRequest, signal: AbortSignal) => Approval | Promise<Approval>

/** `true` allows a request once; `false` and undefined deny it. An `ApprovalAnswer` can say more. */
export type Approval = boolean | ApprovalAnswer | undefined

/** Asks a function about each request. Questions of MCP servers stay unanswered. */
export function askEach(approve: Approve): AskUser {
  async function answer(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { pick } = request
    const given = await approve(request, signal)
    if (given === true) return { verdict: 'allow', ...(pick && { picked: pick }) }
    return given || { verdict: 'deny' }
  }
  return async (panel, signal) => {
    if (panel.kind === 'question') return undefined
    if (panel.kind !== 'batch') return answer(panel, signal)
    const answers: Record<string, ApprovalAnswer> = {}
    for (const request of panel.requests) answers[request.id] = await answer(request, signal)
    return { verdict: 'each', answers }
  }
}

/** Events of an approval queue: a panel is shown, and each request in it is decided once. */
export type ApprovalEvent =
  | { type: 'approval-asked'; panel: UserRequest }
  | {
      type: 'approval-decided'
      /** The id of the request; a batch emits one event per request. */
      id: string
      verdict: 'allow' | 'deny'
      scope?: Scope
      by: DecidedBy
      /** Set if only some of the changes or notes were allowed. */
      part?: AllowedPart
      /** The user changed the arguments, so the call is proposed and decided again. */
      edited?: true
    }

interface AllowedPart {
  of: 'changes' | 'notes'
  allowed: number
  all: number
}

/** `closed`: the front end is gone. `stopped`: the run was aborted. */
export type DecidedBy = 'person' | 'expired' | 'closed' | 'stopped'

/** A form field, as MCP elicitation allows it. */
export type FormField = { title?: string; description?: string } & (
  | { type: 'string'; minLength?: number; maxLength?: number; format?: string; default?: string; enum?: string[] }
  | { type: 'number' | 'integer'; minimum?: number; maximum?: number; default?: number }
  | { type: 'boolean'; default?: boolean }
  /** Multiple choice. */
  | { type: 'array'; items: { enum: string[] }; minItems?: number; maxItems?: number; default?: string[] }
)

/** A flat JSON Schema, shown as a form. */
export interface Form {
  type: 'object'
  properties: Readonly<Record<string, FormField>>
  required?: readonly string[]
}

export type FormValue = string | number | boolean | readonly string[]
export type FormValues = Readonly<Record<string, FormValue>>

/** A question from an MCP server. Plain data. */
export interface Question {
  kind: 'question'
  id: string
  /** Binds the answer to what is shown; sent back with it. */
  hash: string
  session: string
  turn?: string
  createdAt: number
  expiresAt: number
  /** The server, shown so that its question does not look like ours. */
  from: string
  message: string
  form: Form
}

export type QuestionAnswer = { verdict: 'allow'; values: FormValues } | { verdict: 'deny'; words?: string }

/** Returns an error message, or undefined if the values are valid. */
function formError({ properties, required = [] }: Form, values: unknown): string | undefined {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return 'the values must be an object'
  for (const name of Object.keys(values)) if (!Object.hasOwn(properties, name)) return `unknown field: ${name}`
  for (const [name, field] of Object.entries(properties)) {
    const value = Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined
    const reason = value === undefined ? required.includes(name) && 'missing' : fieldError(field, value)
    if (reason) return `${name}: ${reason}`
  }
  return undefined
}

function fieldError(field: FormField, value: unknown): string | undefined {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be yes or no'
    case 'string': {
      if (typeof value !== 'string') return 'must be text'
      const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field
      if (field.enum && !field.enum.includes(value)) return `must be one of ${field.enum.join(', ')}`
      return value.length < minLength || value.length > maxLength ? 'too short or too long' : undefined
    }
    case 'number':
    case 'integer': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number'
      if (field.type === 'integer' && !Number.isInteger(value)) return 'must be a whole number'
      const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = field
      return value < minimum || value > maximum ? 'too small or too large' : undefined
    }
    case 'array': {
      const choices = field.items.enum
      if (!Array.isArray(value) || new Set(value).size !== value.length) return 'must list each choice at most once'
      if (value.some((each: string) => !choices.includes(each))) return `must be some of ${choices.join(', ')}`
      const { minItems = 0, maxItems = choices.length } = field
      return value.length < minItems || value.length > maxItems ? 'too few or too many' : undefined
    }
    default:
      return 'has an unknown type'
  }
}

/**
 * Returns an error message, or undefined if the answer is valid. Answers may come from any client, so nothing is
 * assumed.
 */
export function answerError(panel: UserRequest, answer: UserAnswer): string | undefined {
  if (typeof answer !== 'object' || answer === null) return 'not an answer'
  if (panel.kind === 'question') {
    if (answer.verdict !== 'allow') return denialError(answer)
    return 'values' in answer ? formError(panel.form, answer.values) : 'an answer to a question needs values'
  }
  if (panel.kind !== 'batch') return requestAnswerError(panel, answer)
  if (answer.verdict !== 'each') return 'a list of requests needs an answer for each of them'
  if (typeof answer.answers !== 'object' || answer.answers === null) return 'the answers are missing'
  for (const [id, own] of Object.entries(answer.answers)) {
    const request = panel.requests.find((candidate) => candidate.id === id)
    if (request === undefined) return `the list has no request ${id}`
    const reason = typeof own === 'object' && own !== null ? requestAnswerError(request, own) : 'not an answer'
    if (reason !== undefined) return reason
  }
  return undefined
}

function denialError(answer: UserAnswer): string | undefined {
  if (answer.verdict !== 'deny') return 'the verdict must be allow or deny'
  return answer.words === undefined || typeof answer.words === 'string' ? undefined : 'words must be text'
}

function requestAnswerError(request: ApprovalRequest, answer: UserAnswer): string | undefined {
  if (answer.verdict !== 'allow') return denialError(answer)
  const {
    scope = 'once',
    rule,
    picked,
    hunks,
    results,
    touchesHidden,
  } = answer as Extract<ApprovalAnswer, { verdict: 'allow' }>
  if (!request.scopes.includes(scope)) return `this request does not offer the scope ${scope}`
  if (touchesHidden !== undefined && !(touchesHidden === true && hasHiddenLinksToRewrite(request))) {
    return 'no hidden note is affected'
  }
  if (rule !== undefined && !request.offers.some((offer) => offer.rule === rule))
    return 'this request does not offer that rule'
  if (picked !== undefined) {
    if (request.pick === undefined) return 'this request has no notes to pick'
    const pick: readonly string[] = request.pick
    if (!Array.isArray(picked) || !picked.every((path: string) => pick.includes(path)))
      return 'this request does not offer one of the picked notes'
  }
  if (hunks !== undefined && !(Array.isArray(hunks) && hunks.every((part) => isListed(request, part)))) {
    return 'one of the accepted parts was not shown'
  }
  if (results !== undefined && !(Array.isArray(results) && results.every((result) => isEditable(request, result)))) {
    return 'the text of one of the changes cannot be edited'
  }
  return undefined
}

/** True if links in hidden notes are left to rewrite. */
export function hasHiddenLinksToRewrite({ impact }: Pick<ApprovalRequest, 'impact'>): boolean {
  return impact?.hidden !== undefined && impact.hidden.links > 0 && !impact.hidden.rewritten
}

function isListed(request: ApprovalRequest, part: unknown): boolean {
  const { change, hunks } = (part ?? {}) as { change?: unknown; hunks?: unknown }
  const listed = request.hunks?.find((candidate) => candidate.change === change)
  return (
    listed !== undefined &&
    Array.isArray(hunks) &&
    hunks.every((hunk) => Number.isInteger(hunk) && hunk >= 0 && hunk < listed.hunks.length)
  )
}

function isEditable({ results = [] }: ApprovalRequest, edited: unknown): boolean {
  const { change, text } = (edited ?? {}) as { change?: unknown; text?: unknown }
  return typeof text === 'string' && results.some((result) => result.change === change)
}

/** The part of a request that an answer allows; undefined if it allows all of it. */
export function allowedPart(
  { hunks, pick }: Pick<ApprovalRequest, 'hunks' | 'pick'>,
  { hunks: accepted, picked }: Pick<Extract<ApprovalAnswer, { verdict: 'allow' }>, 'hunks' | 'picked'>,
): AllowedPart | undefined {
  if (picked !== undefined && pick !== undefined) return partOf('notes', new Set(picked).size, pick.length)
  if (accepted === undefined || hunks === undefined) return undefined
  const chosen = new Map(accepted.map((part) => [part.change, new Set(part.hunks).size]))
  const allowed = hunks.map((listed) => chosen.get(listed.change) ?? listed.hunks.length)
  return partOf('changes', sum(allowed), sum(hunks.map((listed) => listed.hunks.length)))
}

const partOf = (of: AllowedPart['of'], allowed: number, all: number): AllowedPart | undefined =>
  allowed < all ? { of, allowed, all } : undefined

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** True if an allowing answer picks no note or accepts no change. */
export function allowsNothing(panel: UserRequest, answer: Extract<UserAnswer, { verdict: 'allow' }>): boolean {
  if (panel.kind === 'question' || panel.kind === 'batch' || 'values' in answer) return false
  if (answer.picked?.length === 0) return true
  return allowedPart(panel, answer)?.allowed === 0 && panel.hunks?.length === panel.changes?.length
}
