import type { CallGroup, EditedResult, GroupMember } from '../tools/index.js'
import { hashBytes } from '../vault/index.js'
import {
  type ApprovalAnswer,
  type ApprovalBatch,
  type ApprovalEvent,
  type ApprovalRequest,
  type AskUser,
  allowedPart,
  allowsNothing,
  answerError,
  type DecidedBy,
  type FormValues,
  type Question,
  type QuestionAnswer,
  type UserAnswer,
  type UserRequest,
} from './approval-request.js'
import { canonicalJson, type RequestDraft } from './build-request.js'

// `!` is used on the first of waiting requests while there are some, on drawn requests and their entries, and on ids of
// the panel.

/** Options of an approval queue: who is asked, and how long a request waits. */
export interface ApprovalQueueOptions {
  /** The front end in this process. Without one, and without `remote`, no user is available. */
  askPerson?: AskUser | undefined
  /** A front end answers through `pending` and `answer`. */
  remote?: boolean | undefined
  /** Shares panels with the other processes on the vault, whose answers are accepted too. */
  shared?: SharedQueue
  now?: () => number
  /** Time until an unanswered panel expires. Default: ten minutes. */
  expiryMs?: number
  /** With more requests of a session than this in a minute, all its waiting calls are shown as one list. */
  perMinute?: number
}

/** The outcome of a request or a question. */
export type ApprovalOutcome<Shown extends ApprovalRequest | Question = ApprovalRequest> =
  | { kind: 'allow'; answer: AllowingAnswer<Shown>; request: Shown }
  /** `repeated`: the user has already denied the same call in this turn. */
  | { kind: 'deny'; why: 'person' | 'closed' | 'expired' | 'repeated'; words?: string }
  /** The notes have changed since the call was planned. */
  | { kind: 'stale' }
  /** A grant given in the meantime covers the call. */
  | { kind: 'covered' }

type AllowingAnswer<Shown> = Extract<Shown extends Question ? QuestionAnswer : ApprovalAnswer, { verdict: 'allow' }>

/** `refused`: the user declined. `unanswered`: no answer arrived. */
type QuestionOutcome = { kind: 'answered'; values: FormValues } | { kind: 'refused' | 'unanswered' }

/** An answer from outside, which names the request it answers. */
export type AddressedAnswer = UserAnswer & { hash: string; session: string }

/** The queue that all processes on one vault share. */
export interface SharedQueue {
  /** Adds a panel and reports answers from other processes. Returns a function that removes the panel. */
  add(panel: UserRequest, onAnswer: (reply: AddressedAnswer) => void): () => void
}

/** The calls of all sessions that wait for the user. Each session shows one panel at a time. */
export interface ApprovalQueue {
  readonly canAsk: boolean
  /** Time until an unanswered panel is denied. */
  readonly waitMs: number
  /**
   * Waits for the user. Rejects only when the signal aborts; closing, a timeout and a failing front end count as
   * denied.
   */
  ask(
    draft: RequestDraft,
    options: Omit<AskOptions, 'after'> & { after?: (outcome: ApprovalOutcome) => Promise<void> },
  ): Promise<ApprovalOutcome>
  /** No user is available in this session: its questions end as unanswered immediately. */
  leaveUnattended(session: string): void
  /** Asks someone else in this session, in place of the front end in this process. Returns the queue as the session uses it. */
  askedBy(session: string, askPerson: AskUser): ApprovalQueue
  /** Asks a question of an MCP server, as a form. */
  askQuestion(draft: QuestionDraft, signal: AbortSignal): Promise<QuestionOutcome>
  /** The panels that wait for an answer, of one session or of all. */
  pending(session?: string): readonly UserRequest[]
  /** An answer from any front end. Each id is decided once; other answers are rejected with a reason. */
  answer(id: string, reply: AddressedAnswer): AnswerReceipt
  /**
   * Reports requests and decisions of one session. Returns a stop function. If a listener returns a promise, the front
   * end in this process shows the panel only after it resolves.
   */
  listen(session: string, listener: ApprovalListener): () => void
  /** The front end has closed: denies everything that waits, in one session or in all. */
  dismiss(session?: string): void
  /** Ends a session: its waiting calls are denied, and the queue forgets it. */
  close(session: string): void
}

type ApprovalListener = (event: ApprovalEvent) => unknown

const rememberedIds = 10_000

/** Creates the approval queue of a vault. */
export function approvalQueue(options: ApprovalQueueOptions = {}): ApprovalQueue {
  const { askPerson: asker, now = Date.now, expiryMs = 600_000, perMinute = 10 } = options
  const queues = new Map<string, ReturnType<typeof sessionQueue>>()
  const listeners = new Map<string, Set<ApprovalListener>>()
  const ended = new Map<string, PanelEnd>()
  const unattended = new Set<string>()
  const ownAskers = new Map<string, AskUser>()

  function remember(id: string, end: PanelEnd): void {
    // The first outcome wins.
    if (!ended.has(id)) ended.set(id, end)
    for (const oldest of ended.keys()) if (ended.size > rememberedIds) ended.delete(oldest)
  }

  function queueOf(session: string) {
    const known = queues.get(session)
    if (known !== undefined) return known
    const made = sessionQueue({
      now,
      expiryMs,
      perMinute,
      remember,
      tell(event) {
        const heard = [...(listeners.get(session) ?? [])].map((listener) => listener(event))
        return heard.some((one) => one instanceof Promise) ? Promise.allSettled(heard) : undefined
      },
      show(panel, closing) {
        const remove = options.shared?.add(panel, (reply) => void self.answer(panel.id, reply))
        if (remove !== undefined) closing.addEventListener('abort', remove, { once: true })
        const askPerson = ownAskers.get(session) ?? asker
        return askPerson && (async () => askPerson(panel, closing))()
      },
    })
    queues.set(session, made)
    return made
  }

  const self: ApprovalQueue = {
    canAsk: asker !== undefined || options.remote === true,
    waitMs: expiryMs,

    async ask(draft, { after, ...rest }) {
      // A request is never answered as a question, so these are the outcomes of a request.
      const outcome = await queueOf(draft.session).enter(draft, {
        ...rest,
        ...(after && { after: (outcome) => after(outcome as ApprovalOutcome) }),
      })
      return outcome as ApprovalOutcome
    },

    leaveUnattended: (session) => void unattended.add(session),

    askedBy(session, askPerson) {
      ownAskers.set(session, askPerson)
      return { ...self, canAsk: true }
    },

    async askQuestion(draft, signal) {
      if (unattended.has(draft.session)) return { kind: 'unanswered' }
      const decided = await queueOf(draft.session).enter(draft, { signal })
      if (decided.kind === 'allow' && 'values' in decided.answer)
        return { kind: 'answered', values: decided.answer.values }
      return { kind: decided.kind === 'deny' && decided.why === 'person' ? 'refused' : 'unanswered' }
    },

    pending(session) {
      const asked = session === undefined ? [...queues.values()] : [queues.get(session)]
      return asked.flatMap((queue) => queue?.shown() ?? [])
    },

    answer(id, reply) {
      for (const [session, queue] of queues) {
        if (queue.shown()?.id !== id) continue
        return reply?.session === session ? queue.answer(reply) : rejectAnswer('other-session')
      }
      return rejectAnswer(ended.get(id) ?? 'unknown')
    },

    listen(session, listener) {
      const own = listeners.get(session) ?? new Set()
      listeners.set(session, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(session)
      }
    },

    dismiss(session) {
      for (const [name, queue] of queues) if (session === undefined || name === session) queue.dismiss()
    },

    close(session) {
      queues.get(session)?.dismiss()
      queues.delete(session)
      unattended.delete(session)
      ownAskers.delete(session)
    },
  }
  return self
}

/** A question before the queue adds its id and times. */
type QuestionDraft = Omit<Question, 'id' | 'hash' | 'createdAt' | 'expiresAt'>
type Draft = RequestDraft | QuestionDraft

interface AskOptions {
  signal: AbortSignal
  /** The call's reply: its calls are shown together, once it is known which of them need approval. */
  member?: GroupMember
  /** Called before the request is shown: is it still needed? */
  before?: () => Promise<'ask' | 'stale' | 'covered'>
  /** Runs before the next request is shown, because a new grant may cover that request. */
  after?: (outcome: ApprovalOutcome<ApprovalRequest | Question>) => Promise<void>
}

/** The end of a panel, to explain why a late answer is rejected. */
type PanelEnd = 'used' | 'expired' | 'void'

/** Options that the queues of all sessions share. */
interface SessionQueueOptions {
  now: () => number
  expiryMs: number
  perMinute: number
  /** Returns a promise if a listener must store the event before the panel is shown. */
  tell: (event: ApprovalEvent) => Promise<unknown> | undefined
  /** Shows a panel. Resolves with its answer, if the front end is in this process. */
  show(panel: UserRequest, closing: AbortSignal): Promise<UserAnswer | undefined> | undefined
  /** Remembers how a panel ended, to explain why a late answer is rejected. */
  remember(id: string, end: PanelEnd): void
}

interface Entry {
  draft: Draft
  group?: CallGroup | undefined
  before?: AskOptions['before']
  conclude(outcome: ApprovalOutcome<ApprovalRequest | Question>): Promise<void>
  fail(error: Error): void
  isDecided: boolean
}

interface OpenPanel {
  shown: UserRequest
  entries: Map<string, Entry>
  closing: AbortController
  timer: ReturnType<typeof setTimeout>
}

/** The waiting requests of one session: one panel at a time, each request decided once and bound to what was shown. */
function sessionQueue(options: SessionQueueOptions) {
  const { now, expiryMs, perMinute, tell } = options
  const waiting: Entry[] = []
  const refusals = turnDenials()
  const running = abortGroups<Entry>(withdraw)
  let askedAt: number[] = []
  let open: OpenPanel | undefined
  let isAdvancing = false
  let concluding = 0

  async function advance(): Promise<void> {
    if (isAdvancing || concluding > 0) return
    isAdvancing = true
    try {
      while (open === undefined && waiting.length > 0) {
        const next = nextEntries()
        if (next.length === 0) return
        const entries: Entry[] = []
        for (const entry of next) if (await stillAsks(entry)) entries.push(entry)
        const left = entries.filter(({ isDecided }) => !isDecided)
        if (left.length > 0) present(left)
      }
    } finally {
      isAdvancing = false
    }
  }

  /** The next request with the others of its reply, or, if there are too many, all calls that wait. */
  function nextEntries(): Entry[] {
    askedAt = askedAt.filter((time) => time > now() - 60_000)
    const ready = waiting.filter(({ group }) => group === undefined || group.isComplete())
    const [first] = ready
    if (first === undefined) return []
    const isFlood = askedAt.length > perMinute && first.draft.kind !== 'question'
    const next = ready.filter((entry) =>
      isFlood
        ? entry.draft.kind !== 'question'
        : entry === first || (entry.group !== undefined && entry.group === first.group),
    )
    for (const entry of next) waiting.splice(waiting.indexOf(entry), 1)
    return next
  }

  async function stillAsks(entry: Entry): Promise<boolean> {
    if (entry.isDecided) return false
    try {
      const kind = (await entry.before?.()) ?? 'ask'
      // The same call may have been refused while this one waited.
      if (isRefused(entry.draft)) await entry.conclude({ kind: 'deny', why: 'repeated' })
      else if (kind === 'ask') return true
      else await entry.conclude({ kind })
    } catch (error) {
      entry.fail(error as Error)
    }
    return false
  }

  const isRefused = (draft: Draft): boolean => draft.kind !== 'question' && refusals.has(draft)

  function present(entries: Entry[]): void {
    const drawn = entries.map(({ draft }) => (draft.kind === 'question' ? questionOf(draft) : requestOf(draft)))
    const shown = drawn.length === 1 ? drawn[0]! : batchOf(drawn as ApprovalRequest[])
    const panel: OpenPanel = {
      shown,
      entries: new Map(drawn.map(({ id }, at) => [id, entries[at]!])),
      closing: new AbortController(),
      timer: setTimeout(() => close(panel, undefined, 'expired', 'expired'), expiryMs),
    }
    open = panel
    const told = tell({ type: 'approval-asked', panel: shown })
    if (told === undefined) askHere(panel)
    else void told.then(() => askHere(panel))
  }

  function askHere(panel: OpenPanel): void {
    if (open !== panel) return
    const asking = options.show(panel.shown, panel.closing.signal)
    if (asking !== undefined) void answerHere(panel, asking)
  }

  /** The front end in this process. Errors count as denied. */
  async function answerHere(panel: OpenPanel, asking: Promise<UserAnswer | undefined>): Promise<void> {
    const answer = await asking.catch(() => undefined)
    const fits = answer !== undefined && answerError(panel.shown, answer) === undefined
    close(panel, fits ? answer : undefined, 'used', fits ? 'person' : 'closed')
  }

  function times() {
    const createdAt = now()
    return { id: crypto.randomUUID(), createdAt, expiresAt: createdAt + expiryMs }
  }

  function requestOf({ repeatKey: _, ...draft }: RequestDraft): ApprovalRequest {
    return { ...draft, ...times(), askedLately: askedAt.length }
  }

  function questionOf(draft: QuestionDraft): Question {
    return { ...draft, ...times(), hash: hashText(canonicalJson(draft)) }
  }

  function batchOf(requests: ApprovalRequest[]): ApprovalBatch {
    const hash = hashText(requests.map((request) => request.hash).join('\n'))
    // A batch has at least two requests.
    const { session, expiresAt } = requests[0]!
    return { kind: 'batch', id: crypto.randomUUID(), hash, session, requests, expiresAt }
  }

  /** Decides a panel, once. Without an answer everything in it is denied. */
  function close(panel: OpenPanel, answer: UserAnswer | undefined, end: PanelEnd, by: DecidedBy): void {
    if (open !== panel) return
    open = undefined
    clearTimeout(panel.timer)
    options.remember(panel.shown.id, end)
    const ends = [...panel.entries].flatMap(([id, entry]) => {
      if (entry.isDecided) return []
      const own = answer?.verdict === 'each' ? (answer.answers[id] ?? { verdict: 'deny' as const }) : answer
      return entry.conclude(decide(panel, id, own, by, end))
    })
    panel.closing.abort()
    concluding++
    void Promise.allSettled(ends).then(() => {
      concluding--
      return advance()
    })
  }

  function decide(
    panel: OpenPanel,
    id: string,
    answer: Exclude<UserAnswer, { verdict: 'each' }> | undefined,
    by: DecidedBy,
    end: PanelEnd,
  ): ApprovalOutcome<ApprovalRequest | Question> {
    const { draft } = panel.entries.get(id)!
    options.remember(id, end)
    const shown = shownAs(panel.shown, id)
    if (answer?.verdict === 'allow' && !allowsNothing(shown, answer)) {
      void tell({ type: 'approval-decided', id, verdict: 'allow', ...allowedWith(shown, answer), by })
      return { kind: 'allow', answer, request: shown }
    }
    void tell({ type: 'approval-decided', id, verdict: 'deny', by })
    if (draft.kind !== 'question') refusals.add(draft)
    const words = answer?.verdict === 'deny' ? answer.words?.trim() : undefined
    const why = answer !== undefined ? 'person' : by === 'expired' ? 'expired' : 'closed'
    return { kind: 'deny', why, ...(words && { words }) }
  }

  /** The run was stopped: the request is void, and so is a panel that contains nothing else. */
  function withdraw(entry: Entry, reason: unknown): void {
    const at = waiting.indexOf(entry)
    if (at >= 0) waiting.splice(at, 1)
    entry.fail(reason as Error)
    const panel = open
    if (panel === undefined) return
    for (const [id, own] of panel.entries) {
      if (own !== entry) continue
      options.remember(id, 'void')
      void tell({ type: 'approval-decided', id, verdict: 'deny', by: 'stopped' })
    }
    if ([...panel.entries.values()].every(({ isDecided }) => isDecided)) close(panel, undefined, 'void', 'stopped')
  }

  return {
    async enter(
      draft: Draft,
      { signal, member, before, after }: AskOptions,
    ): Promise<ApprovalOutcome<ApprovalRequest | Question>> {
      signal.throwIfAborted()
      if (isRefused(draft)) return { kind: 'deny', why: 'repeated' }
      askedAt.push(now())
      return new Promise((resolve, reject) => {
        const end = () => {
          entry.isDecided = true
          running.leave(signal, entry)
        }
        const entry: Entry = {
          draft,
          before,
          group: member?.group,
          isDecided: false,
          async conclude(outcome) {
            if (entry.isDecided) return
            end()
            await after?.(outcome).catch(reject)
            resolve(outcome)
          },
          fail(error) {
            if (entry.isDecided) return
            end()
            reject(error)
          },
        }
        running.join(signal, entry)
        waiting.push(entry)
        member?.enter()
        if (member !== undefined && !member.group.isComplete()) member.group.whenComplete(() => void advance())
        void advance()
      })
    },

    shown: (): UserRequest | undefined => open?.shown,

    answer(reply: UserAnswer & { hash: string }): AnswerReceipt {
      const panel = open
      if (panel === undefined) return rejectAnswer('unknown')
      if (now() >= panel.shown.expiresAt) {
        close(panel, undefined, 'expired', 'expired')
        return rejectAnswer('expired')
      }
      if (reply.hash !== panel.shown.hash) return rejectAnswer('wrong-hash')
      const reason = answerError(panel.shown, reply)
      if (reason !== undefined) return rejectAnswer('invalid', reason)
      close(panel, reply, 'used', 'person')
      return { ok: true }
    },

    /** The front end has closed: denies everything that waits. */
    dismiss(): void {
      // Includes entries whose `before` is running, which are neither waiting nor shown.
      const left = running.members()
      waiting.splice(0)
      if (open !== undefined) close(open, undefined, 'void', 'closed')
      for (const entry of left) {
        if (entry.isDecided) continue
        if (entry.draft.kind !== 'question') refusals.add(entry.draft)
        void entry.conclude({ kind: 'deny', why: 'closed' })
      }
    },
  }
}

const hashText = (text: string): string => hashBytes(new TextEncoder().encode(text))

function shownAs(panel: UserRequest, id: string): ApprovalRequest | Question {
  return panel.kind === 'batch' ? panel.requests.find((request) => request.id === id)! : panel
}

/** The parts of an answer that differ from allowing the call as shown. */
function allowedWith(
  shown: ApprovalRequest | Question,
  answer: Extract<UserAnswer, { verdict: 'allow' }>,
): Pick<Extract<ApprovalEvent, { type: 'approval-decided' }>, 'scope' | 'part' | 'edited'> {
  if (shown.kind === 'question' || 'values' in answer) return {}
  const { scope, input, results = [] } = answer
  const part = allowedPart(shown, answer)
  const isOther = ({ change, text }: EditedResult) =>
    shown.results?.some((own) => own.change === change && own.text !== text)
  const isEdited = (input !== undefined && canonicalJson(input) !== canonicalJson(shown.input)) || results.some(isOther)
  return { ...(scope && { scope }), ...(part && { part }), ...(isEdited && { edited: true }) }
}

/** Tells a front end whether its answer was accepted. */
export type AnswerReceipt = { ok: true } | { ok: false; reason: RejectionReason; message: string }

/** Why an answer to a request was rejected. */
export type RejectionReason = 'unknown' | 'used' | 'expired' | 'void' | 'other-session' | 'wrong-hash' | 'invalid'

export function rejectAnswer(reason: RejectionReason, detail?: string): AnswerReceipt {
  const message = rejectionMessages[reason]
  return { ok: false, reason, message: detail === undefined ? message : `${message.slice(0, -1)}: ${detail}.` }
}

const rejectionMessages: Record<RejectionReason, string> = {
  unknown: 'There is no such request.',
  used: 'This request has already been answered.',
  expired: 'This request has expired and was denied.',
  void: 'This request was canceled because its run was stopped.',
  'other-session': 'This request belongs to another chat.',
  'wrong-hash': 'This answer belongs to a different request. Reload, then answer the request that is shown.',
  invalid: 'This answer is not valid for the request.',
}

/** Calls the user has denied in the current turn. They are not asked about again. */
function turnDenials() {
  let current: { turn: string; keys: Set<string> } | undefined
  return {
    add({ turn, repeatKey }: RequestDraft): void {
      if (turn === undefined) return
      if (current?.turn === turn) current.keys.add(repeatKey)
      else current = { turn, keys: new Set([repeatKey]) }
    },
    has: ({ turn, repeatKey }: RequestDraft): boolean =>
      turn !== undefined && current?.turn === turn && current.keys.has(repeatKey),
  }
}

/** Groups members by abort signal, with one listener per signal: fifty calls of one step share theirs. */
function abortGroups<Member>(onAbort: (member: Member, reason: unknown) => void) {
  const groups = new Map<AbortSignal, { members: Set<Member>; stop: () => void }>()
  return {
    join(signal: AbortSignal, member: Member): void {
      const known = groups.get(signal)
      if (known !== undefined) {
        known.members.add(member)
        return
      }
      const members = new Set([member])
      const stop = () => {
        for (const each of [...members]) onAbort(each, signal.reason)
      }
      groups.set(signal, { members, stop })
      signal.addEventListener('abort', stop)
    },
    leave(signal: AbortSignal, member: Member): void {
      const known = groups.get(signal)
      known?.members.delete(member)
      if (known === undefined || known.members.size > 0) return
      groups.delete(signal)
      signal.removeEventListener('abort', known.stop)
    },
    members: (): Member[] => [...groups.values()].flatMap(({ members }) => [...members]),
  }
}
