import { hashBytes } from '../../vault/index.js'
import { abortGroups } from './abort-groups.js'
import type { ApprovalAnswer, ApprovalBatch, ApprovalRequest, Asker, BatchAnswer } from './approval-request.js'
import { whyNoAnswer } from './check-answer.js'
import { denials } from './denials.js'
import type { RequestDraft } from './draft-request.js'
import { type Receipt, refused } from './receipt.js'

export interface DeskOptions {
  /** The front end in this process. Without one, and without `remote`, nobody can be asked. */
  asker?: Asker
  /** Someone answers through `pending` and `answer`. */
  remote?: boolean
  now?: () => number
  /** How long a panel waits for an answer. Ten minutes unless told. */
  expiryMs?: number
  /** With more asks than this in a minute, all that wait are put in one list. */
  perMinute?: number
}

export interface AskOptions {
  signal: AbortSignal
  /** Looked at when its turn comes: is there still something to ask? */
  before?: () => Promise<'ask' | 'stale' | 'covered'>
  /** What follows from the outcome, done before anything else is asked: a grant may answer the next request. */
  after?: (outcome: Outcome) => Promise<void>
}

export type Outcome =
  | { kind: 'allow'; answer: Extract<ApprovalAnswer, { verdict: 'allow' }>; request: ApprovalRequest }
  /** `repeated`: the person has refused this very call in this turn. */
  | { kind: 'deny'; why: 'person' | 'closed' | 'expired' | 'repeated'; words?: string }
  | { kind: 'stale' }
  | { kind: 'covered' }

/** An answer from outside names what it answers. */
export type Reply = (ApprovalAnswer | BatchAnswer) & { hash: string; session: string }

export interface ApprovalDesk {
  readonly canAsk: boolean
  /** Waits for the person. Rejects only when the signal aborts; closing, silence and failing front ends are a no. */
  ask(draft: RequestDraft, options: AskOptions): Promise<Outcome>
  /** The panel that waits for an answer, if any: there is one at a time. */
  pending(): readonly (ApprovalRequest | ApprovalBatch)[]
  /** An answer from any front end. Each id is decided once; everything else is refused with a reason. */
  answer(id: string, reply: Reply): Receipt
  /** Called whenever the open panel comes or goes. Returns a stop function. */
  onChange(listener: () => void): () => void
  /** The front end has gone: everything that waits is denied. */
  dismiss(): void
}

interface Entry {
  draft: RequestDraft
  before?: AskOptions['before']
  settle(outcome: Outcome): Promise<void>
  fail(error: unknown): void
  isSettled: boolean
}

interface Panel {
  shown: ApprovalRequest | ApprovalBatch
  entries: Map<string, Entry>
  closing: AbortController
  timer: ReturnType<typeof setTimeout>
}

const rememberedIds = 10_000

/** Where calls wait for a person: one panel at a time, each request answered once and bound to what was shown. */
export function approvalDesk(options: DeskOptions = {}): ApprovalDesk {
  const { asker, now = Date.now, expiryMs = 600_000, perMinute = 10 } = options
  const waiting: Entry[] = []
  const listeners = new Set<() => void>()
  /** What became of ids, so that an old click can be told what it is. */
  const ended = new Map<string, 'used' | 'expired' | 'void'>()
  const refusals = denials()
  const running = abortGroups<Entry>(withdraw)
  let askedAt: number[] = []
  let open: Panel | undefined
  let isAdvancing = false
  let settling = 0

  function tell(): void {
    for (const listener of listeners) listener()
  }

  async function advance(): Promise<void> {
    if (isAdvancing || settling > 0) return
    isAdvancing = true
    try {
      while (open === undefined && waiting.length > 0) {
        const entries: Entry[] = []
        for (const entry of nextEntries()) if (await stillAsks(entry)) entries.push(entry)
        const left = entries.filter(({ isSettled }) => !isSettled)
        if (left.length > 0) present(left)
      }
    } finally {
      isAdvancing = false
    }
  }

  /** The next in line, or, when there are too many to look at one by one, all of its session. */
  function nextEntries(): Entry[] {
    askedAt = askedAt.filter((time) => time > now() - 60_000)
    if (askedAt.length <= perMinute) return waiting.splice(0, 1)
    const { session } = waiting[0].draft
    const group = waiting.filter(({ draft }) => draft.session === session)
    for (const entry of group) waiting.splice(waiting.indexOf(entry), 1)
    return group
  }

  async function stillAsks(entry: Entry): Promise<boolean> {
    if (entry.isSettled) return false
    try {
      const kind = (await entry.before?.()) ?? 'ask'
      // The same call may have been refused while this one waited.
      if (refusals.has(entry.draft)) await entry.settle({ kind: 'deny', why: 'repeated' })
      else if (kind === 'ask') return true
      else await entry.settle({ kind })
    } catch (error) {
      entry.fail(error)
    }
    return false
  }

  function present(entries: Entry[]): void {
    const requests = entries.map((entry) => requestOf(entry.draft))
    const shown = requests.length === 1 ? requests[0] : batchOf(requests)
    const panel: Panel = {
      shown,
      entries: new Map(requests.map(({ id }, at) => [id, entries[at]])),
      closing: new AbortController(),
      timer: setTimeout(() => close(panel, undefined, 'expired'), expiryMs),
    }
    open = panel
    tell()
    if (asker !== undefined) void askHere(panel, asker)
  }

  /** The front end in this process. Whatever it does but answer is a no. */
  async function askHere(panel: Panel, ask: Asker): Promise<void> {
    const answer = await (async () => ask(panel.shown, panel.closing.signal))().catch(() => undefined)
    const fits = answer !== undefined && whyNoAnswer(panel.shown, answer) === undefined
    close(panel, fits ? answer : undefined, 'used')
  }

  function requestOf({ repeatKey: _, ...draft }: RequestDraft): ApprovalRequest {
    const createdAt = now()
    return {
      ...draft,
      id: crypto.randomUUID(),
      createdAt,
      expiresAt: createdAt + expiryMs,
      askedLately: askedAt.length,
    }
  }

  function batchOf(requests: ApprovalRequest[]): ApprovalBatch {
    const hash = hashBytes(new TextEncoder().encode(requests.map((request) => request.hash).join('\n')))
    const [{ session, expiresAt }] = requests
    return { kind: 'batch', id: crypto.randomUUID(), hash, session, requests, expiresAt }
  }

  /** Decides a panel, once. Without an answer everything in it is denied. */
  function close(
    panel: Panel,
    answer: ApprovalAnswer | BatchAnswer | undefined,
    end: 'used' | 'expired' | 'void',
  ): void {
    if (open !== panel) return
    open = undefined
    clearTimeout(panel.timer)
    for (const id of [panel.shown.id, ...panel.entries.keys()]) remember(id, end)
    const ends = [...panel.entries].map(([id, entry]) => {
      if (entry.isSettled) return undefined
      const own = answer?.verdict === 'each' ? (answer.answers[id] ?? { verdict: 'deny' }) : answer
      return entry.settle(outcomeOf(panel, id, own, end))
    })
    panel.closing.abort()
    tell()
    settling++
    void Promise.allSettled(ends).then(() => {
      settling--
      return advance()
    })
  }

  function outcomeOf(
    panel: Panel,
    id: string,
    answer: ApprovalAnswer | undefined,
    end: 'used' | 'expired' | 'void',
  ): Outcome {
    const entry = panel.entries.get(id)!
    if (answer?.verdict === 'allow' && answer.picked?.length !== 0) {
      const request = panel.shown.kind === 'batch' ? panel.shown.requests.find((each) => each.id === id)! : panel.shown
      return { kind: 'allow', answer, request }
    }
    refusals.add(entry.draft)
    const words = answer?.verdict === 'deny' ? answer.words?.trim() : undefined
    const why = answer !== undefined ? 'person' : end === 'expired' ? 'expired' : 'closed'
    return { kind: 'deny', why, ...(words && { words }) }
  }

  function remember(id: string, end: 'used' | 'expired' | 'void'): void {
    ended.set(id, end)
    for (const oldest of ended.keys()) if (ended.size > rememberedIds) ended.delete(oldest)
  }

  /** The run was stopped: the request is void, and so is a panel with nothing else in it. */
  function withdraw(entry: Entry, reason: unknown): void {
    const at = waiting.indexOf(entry)
    if (at >= 0) waiting.splice(at, 1)
    entry.fail(reason)
    const panel = open
    if (panel === undefined) return
    for (const [id, own] of panel.entries) if (own === entry) remember(id, 'void')
    if ([...panel.entries.values()].every(({ isSettled }) => isSettled)) close(panel, undefined, 'void')
  }

  return {
    canAsk: asker !== undefined || options.remote === true,

    async ask(draft, { signal, before, after }) {
      signal.throwIfAborted()
      if (refusals.has(draft)) return { kind: 'deny', why: 'repeated' }
      askedAt.push(now())
      return new Promise((resolve, reject) => {
        const end = () => {
          entry.isSettled = true
          running.leave(signal, entry)
        }
        const entry: Entry = {
          draft,
          before,
          isSettled: false,
          async settle(outcome) {
            if (entry.isSettled) return
            end()
            await after?.(outcome).catch(reject)
            resolve(outcome)
          },
          fail(error) {
            if (entry.isSettled) return
            end()
            reject(error)
          },
        }
        running.join(signal, entry)
        waiting.push(entry)
        void advance()
      })
    },

    pending: () => (open === undefined ? [] : [open.shown]),

    answer(id, reply) {
      const panel = open?.shown.id === id ? open : undefined
      if (panel === undefined) return refused(ended.get(id) ?? 'unknown')
      if (now() >= panel.shown.expiresAt) {
        close(panel, undefined, 'expired')
        return refused('expired')
      }
      if (reply?.session !== panel.shown.session) return refused('other-session')
      if (reply.hash !== panel.shown.hash) return refused('wrong-hash')
      const reason = whyNoAnswer(panel.shown, reply)
      if (reason !== undefined) return refused('invalid', `The answer does not fit: ${reason}.`)
      close(panel, reply, 'used')
      return { ok: true }
    },

    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },

    dismiss() {
      // Also those that are just being looked at again, neither waiting nor shown.
      const left = running.members()
      waiting.splice(0)
      if (open !== undefined) close(open, undefined, 'void')
      for (const entry of left) {
        if (entry.isSettled) continue
        refusals.add(entry.draft)
        void entry.settle({ kind: 'deny', why: 'closed' })
      }
    },
  }
}
