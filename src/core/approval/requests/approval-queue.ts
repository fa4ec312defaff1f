import { hashBytes } from '../../vault/index.js'
import { abortGroups } from './abort-groups.js'
import type {
  ApprovalBatch,
  ApprovalEvent,
  ApprovalRequest,
  DecidedBy,
  Panel,
  PanelAnswer,
} from './approval-request.js'
import { canonicalJson } from './canonical-json.js'
import { whyNoAnswer } from './check-answer.js'
import { denials } from './denials.js'
import type { RequestDraft } from './draft-request.js'
import type { Question } from './question.js'
import { type Receipt, refused } from './receipt.js'

/** A question before the desk gives it a number and a time. */
export type QuestionDraft = Omit<Question, 'id' | 'hash' | 'createdAt' | 'expiresAt'>
export type Draft = RequestDraft | QuestionDraft

export interface AskOptions {
  signal: AbortSignal
  /** Looked at when its turn comes: is there still something to ask? */
  before?: () => Promise<'ask' | 'stale' | 'covered'>
  /** What follows from the outcome, done before anything else is asked: a grant may answer the next request. */
  after?: (outcome: Decided) => Promise<void>
}

/** What became of one draft. */
export type Decided =
  | { kind: 'allow'; answer: Extract<PanelAnswer, { verdict: 'allow' }>; shown: ApprovalRequest | Question }
  /** `repeated`: the person has refused this very call in this turn. */
  | { kind: 'deny'; why: 'person' | 'closed' | 'expired' | 'repeated'; words?: string }
  | { kind: 'stale' }
  | { kind: 'covered' }

/** How a panel went, for whoever answers it too late. */
export type PanelEnd = 'used' | 'expired' | 'void'

/** What the queues of all sessions share. */
export interface QueueSetup {
  now: () => number
  expiryMs: number
  perMinute: number
  /** A promise where somebody has to write it down first. */
  tell: (event: ApprovalEvent) => Promise<unknown> | undefined
  /** A panel is open; its answer, if the front end is in this process. */
  show(panel: Panel, closing: AbortSignal): Promise<PanelAnswer | undefined> | undefined
  /** So that an old click can be told what it is. */
  remember(id: string, end: PanelEnd): void
}

/** What waits for a person in one session: one panel at a time, each request decided once and bound to what was shown. */
export interface ApprovalQueue {
  enter(draft: Draft, options: AskOptions): Promise<Decided>
  shown(): Panel | undefined
  answer(reply: PanelAnswer & { hash: string }): Receipt
  /** The front end has gone: everything that waits is denied. */
  dismiss(): void
}

interface Entry {
  draft: Draft
  before?: AskOptions['before']
  conclude(outcome: Decided): Promise<void>
  fail(error: Error): void
  isDecided: boolean
}

interface OpenPanel {
  shown: Panel
  entries: Map<string, Entry>
  closing: AbortController
  timer: ReturnType<typeof setTimeout>
}

export function approvalQueue(setup: QueueSetup): ApprovalQueue {
  const { now, expiryMs, perMinute, tell } = setup
  const waiting: Entry[] = []
  const refusals = denials()
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
        const entries: Entry[] = []
        for (const entry of nextEntries()) if (await stillAsks(entry)) entries.push(entry)
        const left = entries.filter(({ isDecided }) => !isDecided)
        if (left.length > 0) present(left)
      }
    } finally {
      isAdvancing = false
    }
  }

  /** The next in line, or, when there are too many to look at one by one, all calls that wait. */
  function nextEntries(): Entry[] {
    askedAt = askedAt.filter((time) => time > now() - 60_000)
    if (askedAt.length <= perMinute || waiting[0].draft.kind === 'question') return waiting.splice(0, 1)
    const calls = waiting.filter(({ draft }) => draft.kind !== 'question')
    for (const entry of calls) waiting.splice(waiting.indexOf(entry), 1)
    return calls
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
    const shown = drawn.length === 1 ? drawn[0] : batchOf(drawn as ApprovalRequest[])
    const panel: OpenPanel = {
      shown,
      entries: new Map(drawn.map(({ id }, at) => [id, entries[at]])),
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
    const asking = setup.show(panel.shown, panel.closing.signal)
    if (asking !== undefined) void answerHere(panel, asking)
  }

  /** The front end in this process. Whatever it does but answer is a no. */
  async function answerHere(panel: OpenPanel, asking: Promise<PanelAnswer | undefined>): Promise<void> {
    const answer = await asking.catch(() => undefined)
    const fits = answer !== undefined && whyNoAnswer(panel.shown, answer) === undefined
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
    const [{ session, expiresAt }] = requests
    return { kind: 'batch', id: crypto.randomUUID(), hash, session, requests, expiresAt }
  }

  /** Decides a panel, once. Without an answer everything in it is denied. */
  function close(panel: OpenPanel, answer: PanelAnswer | undefined, end: PanelEnd, by: DecidedBy): void {
    if (open !== panel) return
    open = undefined
    clearTimeout(panel.timer)
    setup.remember(panel.shown.id, end)
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
    answer: Exclude<PanelAnswer, { verdict: 'each' }> | undefined,
    by: DecidedBy,
    end: PanelEnd,
  ): Decided {
    const { draft } = panel.entries.get(id)!
    setup.remember(id, end)
    if (answer?.verdict === 'allow' && !('picked' in answer && answer.picked?.length === 0)) {
      const scope = 'scope' in answer ? answer.scope : undefined
      void tell({ type: 'approval-decided', id, verdict: 'allow', ...(scope && { scope }), by })
      return { kind: 'allow', answer, shown: shownAs(panel.shown, id) }
    }
    void tell({ type: 'approval-decided', id, verdict: 'deny', by })
    if (draft.kind !== 'question') refusals.add(draft)
    const words = answer?.verdict === 'deny' ? answer.words?.trim() : undefined
    const why = answer !== undefined ? 'person' : by === 'expired' ? 'expired' : 'closed'
    return { kind: 'deny', why, ...(words && { words }) }
  }

  /** The run was stopped: the request is void, and so is a panel with nothing else in it. */
  function withdraw(entry: Entry, reason: unknown): void {
    const at = waiting.indexOf(entry)
    if (at >= 0) waiting.splice(at, 1)
    entry.fail(reason as Error)
    const panel = open
    if (panel === undefined) return
    for (const [id, own] of panel.entries) {
      if (own !== entry) continue
      setup.remember(id, 'void')
      void tell({ type: 'approval-decided', id, verdict: 'deny', by: 'stopped' })
    }
    if ([...panel.entries.values()].every(({ isDecided }) => isDecided)) close(panel, undefined, 'void', 'stopped')
  }

  return {
    async enter(draft, { signal, before, after }) {
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
        void advance()
      })
    },

    shown: () => open?.shown,

    answer(reply) {
      const panel = open
      if (panel === undefined) return refused('unknown')
      if (now() >= panel.shown.expiresAt) {
        close(panel, undefined, 'expired', 'expired')
        return refused('expired')
      }
      if (reply.hash !== panel.shown.hash) return refused('wrong-hash')
      const reason = whyNoAnswer(panel.shown, reply)
      if (reason !== undefined) return refused('invalid', `The answer does not fit: ${reason}.`)
      close(panel, reply, 'used', 'person')
      return { ok: true }
    },

    dismiss() {
      // Also those that are just being looked at again, neither waiting nor shown.
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

function shownAs(panel: Panel, id: string): ApprovalRequest | Question {
  return panel.kind === 'batch' ? panel.requests.find((request) => request.id === id)! : panel
}
