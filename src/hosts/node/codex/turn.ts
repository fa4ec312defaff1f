import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from '../../../core/model/index.js'
import type { AppServer, ThreadEvent } from './app-server.js'
import { toolAnswer } from './codex-model.js'
import type { RequestId, ToolCallAnswer, ToolCallParams } from './protocol.js'
import { type ReplyOptions, turnReply } from './turn-reply.js'

type Part = LanguageModelV3StreamPart

/** A turn of a thread: each reply ends where tool results are needed, and the next one continues with them. */
export interface CodexTurn {
  /** The next reply; the first one, or one after results were given. */
  reply(options: TurnReplyOptions): ReadableStream<Part>
  /** Results for the calls it waits with, by their ids. */
  give(answers: ReadonlyMap<string, ToolCallAnswer>): void
  /** Cancels the turn. */
  abandon(): void
}

interface TurnReplyOptions extends Omit<ReplyOptions, 'tellsResponses' | 'goesOn'> {
  /** The first part of the reply stream. */
  first: Part
  signal?: AbortSignal | undefined
  /** The reply is complete, and the turn waits for results of these calls. */
  onWaiting(calls: ReadonlySet<string>): void
}

/** Listens to a thread whose turn is about to begin; `start` begins it and answers its id. */
export function openTurn(server: AppServer, threadId: string, start: () => Promise<string>): CodexTurn {
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
  // The reply stream reports the failure.
  turnId.catch(() => {})

  function leave(): void {
    stopListening()
    // Codex drops an ephemeral thread when it is unsubscribed; an older Codex archives it, outside the user's list.
    server.requestInPassing(server.callsTools ? 'thread/unsubscribe' : 'thread/archive', { threadId }).catch(() => {})
  }

  function abandon(): void {
    if (isOver) return
    isOver = true
    void turnId
      // A server that has ended has nothing to interrupt.
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
      // `!`: Codex waits for the answer to this event, so it has an id.
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
      else server.answer(id, withSingleCalls)
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

const withSingleCalls: ToolCallAnswer = {
  contentItems: [{ type: 'inputText', text: 'Not run: only one call at a time. Repeat this call if you need it.' }],
  success: false,
}

/** Turns that wait for the results of calls. */
export interface PausedTurns {
  park(turn: CodexTurn, prompt: LanguageModelV3Prompt, calls: ReadonlySet<string>): void
  /** Gives the request's tool results to the turn that waits for them; undefined if a new turn is needed. */
  resume(prompt: LanguageModelV3Prompt): CodexTurn | undefined
}

interface ParkedTurn {
  turn: CodexTurn
  conversation: readonly string[]
  calls: ReadonlySet<string>
  expiry: NodeJS.Timeout
}

export function pausedTurns(expiryMs: number): PausedTurns {
  const parked = new Set<ParkedTurn>()

  function unpark(found: ParkedTurn): void {
    clearTimeout(found.expiry)
    parked.delete(found)
  }

  return {
    park(turn, prompt, calls) {
      const entry: ParkedTurn = {
        turn,
        conversation: conversationOf(prompt),
        calls: new Set(calls),
        expiry: setTimeout(() => {
          unpark(entry)
          turn.abandon()
        }, expiryMs).unref(),
      }
      parked.add(entry)
    },
    resume(prompt) {
      const results = lastResults(prompt)
      const found = [...parked].find(({ calls }) => [...calls].some((id) => results.has(id)))
      if (found === undefined) return undefined
      unpark(found)
      if (continuesConversation(found, prompt, results)) {
        found.turn.give(results)
        return found.turn
      }
      // The conversation continued differently.
      found.turn.abandon()
      return undefined
    },
  }
}

/** True if a request is the parked conversation, its calls, and a result for each of them. */
function continuesConversation(
  { conversation, calls }: ParkedTurn,
  prompt: LanguageModelV3Prompt,
  results: ReadonlyMap<string, unknown>,
) {
  const now = conversationOf(prompt)
  const isSame = conversation.every((message, at) => message === now[at]) && now.length === conversation.length + 2
  return isSame && calls.size === results.size && [...calls].every((id) => results.has(id))
}

function lastResults(prompt: LanguageModelV3Prompt): Map<string, ToolCallAnswer> {
  const results = new Map<string, ToolCallAnswer>()
  for (const message of [...prompt].reverse()) {
    if (message.role !== 'tool') break
    for (const part of message.content) {
      if (part.type === 'tool-result') results.set(part.toolCallId, toolAnswer(part.output))
    }
  }
  return results
}

/** A conversation as texts that can be compared, one for all neighbours of a role. */
function conversationOf(prompt: LanguageModelV3Prompt): string[] {
  const joined: { role: string; parts: unknown[] }[] = []
  for (const message of prompt) {
    const last = joined.at(-1)
    if (last?.role === message.role) last.parts.push(...partsOf(message))
    else joined.push({ role: message.role, parts: partsOf(message) })
  }
  return joined.map((message) => JSON.stringify(message))
}

/** Without parts that clients drop or change: reasoning, empty texts, and provider options. */
function partsOf(message: LanguageModelV3Message): unknown[] {
  if (message.role === 'system') return [message.content]
  return message.content.flatMap((part): unknown[] => {
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [part.text]
      case 'tool-call':
        return [[part.toolCallId, part.toolName]]
      case 'tool-result':
        return [[part.toolCallId, part.output]]
      case 'file':
        return [part.mediaType, part.data]
      default:
        return []
    }
  })
}
