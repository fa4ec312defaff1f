import type { LanguageModelV3StreamPart } from '../../../core/model/index.js'
import type { AppServer, ThreadEvent } from './app-server.js'
import type { RequestId, ToolCallAnswer, ToolCallParams } from './protocol.js'
import { type ReplyOptions, turnReply } from './turn-reply.js'

type Part = LanguageModelV3StreamPart

/** A turn of a thread: replies that end where results are needed, and go on when they are there. */
export interface Turn {
  /** The next reply; the first one, or one after results were given. */
  reply(options: TurnReplyOptions): ReadableStream<Part>
  /** Results for the calls it waits with, by their ids. */
  give(answers: ReadonlyMap<string, ToolCallAnswer>): void
  /** Nobody wants to hear more of it. */
  abandon(): void
}

interface TurnReplyOptions extends Omit<ReplyOptions, 'tellsResponses' | 'goesOn'> {
  /** What the reply begins with. */
  first: Part
  signal?: AbortSignal
  /** The reply is complete, and the turn waits for results of these calls. */
  onWaiting(calls: ReadonlySet<string>): void
}

/** Listens to a thread whose turn is about to begin; `start` begins it and answers its id. */
export function openTurn(server: AppServer, threadId: string, start: () => Promise<string>): Turn {
  const events: ThreadEvent[] = []
  const asked = new Map<string, RequestId>()
  let wake = () => {}
  let isOver = false
  let goesOn = false

  const stopListening = server.listen(threadId, (event) => {
    if ('closed' in event || event.method === 'turn/completed') isOver = true
    events.push(event)
    wake()
  })
  const turnId = start()
  // Whoever reads the reply hears of it.
  turnId.catch(() => {})

  function leave(): void {
    stopListening()
    // An ephemeral thread is forgotten when nobody listens; an older Codex keeps it, out of the person's list.
    server.requestInPassing(server.callsTools ? 'thread/unsubscribe' : 'thread/archive', { threadId }).catch(() => {})
  }

  function abandon(): void {
    if (isOver) return
    isOver = true
    void turnId
      .then((id) => server.requestInPassing('turn/interrupt', { threadId, turnId: id }))
      .catch(() => {})
      .then(leave)
    wake()
  }

  async function nextEvent(): Promise<ThreadEvent | undefined> {
    await turnId
    while (events.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve))
    return events.shift()
  }

  function reply(options: TurnReplyOptions): ReadableStream<Part> {
    const { signal } = options
    const told = turnReply({ ...options, tellsResponses: server.callsTools, goesOn })
    goesOn = true
    const letGo = server.hold()
    let first: Part[] = [options.first]

    function end(): void {
      letGo()
      signal?.removeEventListener('abort', abandon)
    }

    /** The next parts there are, and whether they are the last ones. */
    async function nextParts(): Promise<{ parts: Part[]; isLast: boolean }> {
      const event = await nextEvent()
      signal?.throwIfAborted()
      if (event === undefined) return { parts: [], isLast: true }
      const parts = told.read(event)
      if ('method' in event && event.method === 'item/tool/call') noteRequest(event.params as ToolCallParams, event.id!)
      switch (told.state()) {
        case 'going':
          return { parts, isLast: false }
        case 'waiting':
          if (events.length > 0) return { parts, isLast: false }
          options.onWaiting(told.calls)
          return { parts: [...parts, ...told.end()], isLast: true }
        case 'over':
          leave()
          return { parts, isLast: true }
        case 'forbidden':
          abandon()
          return { parts, isLast: true }
      }
    }

    function noteRequest({ callId }: ToolCallParams, id: RequestId): void {
      if (told.calls.has(callId)) asked.set(callId, id)
      else server.answer(id, oneAtATime)
    }

    signal?.addEventListener('abort', abandon, { once: true })
    if (signal?.aborted) abandon()
    return new ReadableStream<Part>({
      async pull(controller) {
        try {
          for (;;) {
            const { parts, isLast } = await nextParts()
            for (const part of [...first, ...parts]) controller.enqueue(part)
            if (parts.length > 0) first = []
            if (isLast) {
              end()
              return controller.close()
            }
            if (parts.length > 0) return
          }
        } catch (error) {
          end()
          controller.error(error)
        }
      },
      cancel() {
        end()
        abandon()
      },
    })
  }

  return {
    reply,
    abandon,
    give(answers) {
      for (const [callId, answer] of answers) {
        const id = asked.get(callId)
        if (id !== undefined) server.answer(id, answer)
        asked.delete(callId)
      }
    },
  }
}

const oneAtATime: ToolCallAnswer = {
  contentItems: [{ type: 'inputText', text: 'Not done: one call at a time. Make this call again when you need it.' }],
  success: false,
}
