import {
  type ApprovalQueue,
  type AskOptions,
  approvalQueue,
  type Decided,
  type PanelEnd,
  type QuestionDraft,
} from './approval-queue.js'
import type { ApprovalAnswer, ApprovalEvent, ApprovalRequest, Asker, Panel, PanelAnswer } from './approval-request.js'
import type { RequestDraft } from './draft-request.js'
import type { FormValues } from './question.js'
import { type Receipt, refused } from './receipt.js'

export interface DeskOptions {
  /** The front end in this process. Without one, and without `remote`, nobody can be asked. */
  asker?: Asker
  /** Someone answers through `pending` and `answer`. */
  remote?: boolean
  now?: () => number
  /** How long a panel waits for an answer. Ten minutes unless told. */
  expiryMs?: number
  /** With more asks of a session than this in a minute, all of its calls that wait are put in one list. */
  perMinute?: number
}

export type Outcome =
  | { kind: 'allow'; answer: Extract<ApprovalAnswer, { verdict: 'allow' }>; request: ApprovalRequest }
  | Exclude<Decided, { kind: 'allow' }>

/** Refused by the person, or nobody answered. */
export type QuestionOutcome = { kind: 'answered'; values: FormValues } | { kind: 'refused' | 'unanswered' }

/** An answer from outside names what it answers. */
export type Reply = PanelAnswer & { hash: string; session: string }

/** Where the calls of all sessions wait for a person: one panel a session at a time. */
export interface ApprovalDesk {
  readonly canAsk: boolean
  /** Waits for the person. Rejects only when the signal aborts; closing, silence and failing front ends are a no. */
  ask(
    draft: RequestDraft,
    options: Omit<AskOptions, 'after'> & { after?: (outcome: Outcome) => Promise<void> },
  ): Promise<Outcome>
  /** Nobody is there in this session: questions in it are unanswered at once. */
  leaveUnattended(session: string): void
  /** Somebody else's question, as a form. */
  askQuestion(draft: QuestionDraft, signal: AbortSignal): Promise<QuestionOutcome>
  /** The panels that wait for an answer, of one session or of all. */
  pending(session?: string): readonly Panel[]
  /** An answer from any front end. Each id is decided once; everything else is refused with a reason. */
  answer(id: string, reply: Reply): Receipt
  /**
   * Hears what is shown and decided in one session. Returns a stop function. Where a listener answers with a promise, the
   * front end in this process shows the panel only then.
   */
  listen(session: string, listener: ApprovalListener): () => void
  /** The front end has gone: everything that waits is denied, in one session or in all. */
  dismiss(session?: string): void
  /** The session has ended: what waits in it is denied, and the desk forgets it. */
  close(session: string): void
}

export type ApprovalListener = (event: ApprovalEvent) => unknown

const rememberedIds = 10_000

export function approvalDesk(options: DeskOptions = {}): ApprovalDesk {
  const { asker, now = Date.now, expiryMs = 600_000, perMinute = 10 } = options
  const queues = new Map<string, ApprovalQueue>()
  const listeners = new Map<string, Set<ApprovalListener>>()
  const ended = new Map<string, PanelEnd>()
  const unattended = new Set<string>()

  function remember(id: string, end: PanelEnd): void {
    // What became of it first is what became of it.
    if (!ended.has(id)) ended.set(id, end)
    for (const oldest of ended.keys()) if (ended.size > rememberedIds) ended.delete(oldest)
  }

  function queueOf(session: string): ApprovalQueue {
    const known = queues.get(session)
    if (known !== undefined) return known
    const made = approvalQueue({
      now,
      expiryMs,
      perMinute,
      remember,
      tell(event) {
        const heard = [...(listeners.get(session) ?? [])].map((listener) => listener(event))
        return heard.some((one) => one instanceof Promise) ? Promise.allSettled(heard) : undefined
      },
      show: (panel, closing) => asker && (async () => asker(panel, closing))(),
    })
    queues.set(session, made)
    return made
  }

  return {
    canAsk: asker !== undefined || options.remote === true,

    async ask(draft, { after, ...rest }) {
      const decided = await queueOf(draft.session).enter(draft, {
        ...rest,
        ...(after && { after: (decision: Decided) => after(outcomeOf(decision)) }),
      })
      return outcomeOf(decided)
    },

    leaveUnattended: (session) => void unattended.add(session),

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
        return reply?.session === session ? queue.answer(reply) : refused('other-session')
      }
      return refused(ended.get(id) ?? 'unknown')
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
    },
  }
}

function outcomeOf(decided: Decided): Outcome {
  if (decided.kind !== 'allow') return decided
  const { answer, shown } = decided
  return {
    kind: 'allow',
    answer: answer,
    request: shown as ApprovalRequest,
  }
}
