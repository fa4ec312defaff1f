import type { AgentEvent, Citation } from '../agent/index.js'
import { Failure } from '../errors.js'
import { abortOnReturn, type LinkedAbort, linkedAbort, type StepUsage } from '../model/index.js'
import type { NotePath } from '../vault/index.js'
import type { Request, Session } from './session.js'
import { type ChangeSummary, turnReport } from './turn-report.js'

/** A complete answer. */
export interface Answer {
  /** The answer, as Markdown. */
  text: string
  /** The notes that the answer names or was read from, with the result of checking each quotation. */
  citations: Citation[]
  /** Paths of the cited notes, each once. */
  sources: NotePath[]
  /** Changes that were made. `vault.undo(id)` reverts one. */
  changes: ChangeSummary[]
  /** Set if the last call was not allowed, so that the request may not have been carried out. */
  refused?: { code: 'denied' | 'needs-approval'; text: string }
  /** Tokens, and the cost if the provider reports it. A field that the provider does not report is absent. */
  usage: StepUsage
  /** `step-limit`: the model had to answer before it was done. */
  reason: 'answered' | 'step-limit'
  /** The model that answered, as provider/model, or `offline`. */
  model: string
  /** The session it belongs to. */
  session: string
}

/**
 * An answer that can be awaited, or read as a stream of events. The request is sent when you do either. Both report
 * failures in the same way: expected ones are thrown as `Failure`, and an aborted signal throws its reason. Leaving the
 * loop stops the turn.
 */
export interface PendingAnswer extends Promise<Answer>, AsyncIterable<AgentEvent> {
  /** The events of the turn, in order. They can be read once, also after the answer was awaited. */
  [Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void>
}

/** Runs a turn when its answer is awaited or its events are read, whichever is first. */
export function pendingAnswer(
  signal: AbortSignal | undefined,
  run: (stop: LinkedAbort) => AsyncGenerator<AgentEvent, Answer>,
): PendingAnswer {
  const stop = linkedAbort(signal)
  const unread: AgentEvent[] = []
  let turn: AsyncGenerator<AgentEvent, Answer> | undefined
  let reading: Promise<void> | undefined
  let ended: Promise<Answer> | undefined

  function end(answer: Promise<Answer>): void {
    if (ended !== undefined) return
    ended = answer
    // Reported to everyone who awaits the answer or reads the events, and unhandled only there.
    ended.catch(() => undefined)
    stop.release()
  }

  async function readNext(): Promise<void> {
    turn ??= run(stop)
    const next = turn.next()
    try {
      const { done, value } = await next
      if (done) end(Promise.resolve(value))
      else unread.push(value)
    } catch {
      // The answer fails for the same reason as the turn.
      end(next.then(({ value }) => value as Answer))
    }
  }

  /** The loop and those who await the answer share each read. */
  function read(): Promise<void> {
    reading ??= readNext().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function answer(): Promise<Answer> {
    while (ended === undefined) await read()
    return ended
  }

  async function* readEvents(): AsyncGenerator<AgentEvent, void> {
    try {
      for (;;) {
        const event = unread.shift()
        if (event !== undefined) yield event
        else if (ended === undefined) await read()
        else break
      }
      await ended
    } finally {
      if (ended === undefined) {
        stop.abort()
        end(Promise.reject(stop.signal.reason as Error))
        await turn?.return(undefined as never)
      }
    }
  }

  const events = abortOnReturn(readEvents(), stop)
  return {
    // biome-ignore lint/suspicious/noThenProperty: it can be awaited like any promise.
    then: (onAnswer, onFailure) => answer().then(onAnswer, onFailure),
    catch: (onFailure) => answer().catch(onFailure),
    finally: (onEnd) => answer().finally(onEnd),
    [Symbol.asyncIterator]: () => events,
    [Symbol.toStringTag]: 'PendingAnswer',
  }
}

/** One turn of a session as events and an answer. A failed or stopped turn throws. */
export async function* askForAnswer(
  session: Session,
  request: Request,
  { signal }: Pick<LinkedAbort, 'signal'>,
): AsyncGenerator<AgentEvent, Answer> {
  const report = turnReport()
  for await (const event of session.ask(request, signal)) {
    report.see(event)
    const isFailed = event.type === 'run-end' && (event.reason === 'failed' || event.reason === 'stopped')
    if (!isFailed) yield event
  }
  const { text, reason, usage, failure } = report.end()
  signal.throwIfAborted()
  if (reason === 'stopped') throw new Failure('conflict', 'The chat was closed before the answer was complete.')
  if (reason === 'failed')
    throw await session.explain(failure ?? { code: 'internal', text: 'The turn failed.' }, signal)
  const citations = report.citations()
  const refused = report.refusal()
  return {
    text,
    citations,
    sources: [...new Set(citations.flatMap(({ path }) => path ?? []))],
    changes: report.changes(),
    ...(refused && { refused }),
    usage,
    reason: reason === 'step-limit' ? reason : 'answered',
    model: report.model(),
    session: session.id,
  }
}
