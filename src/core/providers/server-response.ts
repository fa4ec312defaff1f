// Reads the responses of servers that are queried without a package.

import type {
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from '../model/index.js'

/** Turns the text of a reply into parts, however it is cut. */
export interface PartReader {
  read: (text: string) => LanguageModelV3StreamPart[]
  end: () => LanguageModelV3StreamPart[]
}

/** Reads a response body as a stream of parts. */
export function streamOfBody(response: Response, { read, end }: PartReader): ReadableStream<LanguageModelV3StreamPart> {
  // Only the response to a HEAD request, or one without content, has no body.
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      for (let hasParts = false; !hasParts; ) {
        const { done, value } = await reader.read()
        const parts = read(done ? decoder.decode() : decoder.decode(value, { stream: true }))
        for (const part of parts) controller.enqueue(part)
        hasParts = parts.length > 0
        if (!done) continue
        for (const part of end()) controller.enqueue(part)
        return controller.close()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Turns deltas of text and reasoning into the parts of blocks: a start, deltas, an end. */
export function textBlocks() {
  let open: 'text' | 'reasoning' | undefined
  let blocks = 0

  function* close(): Generator<LanguageModelV3StreamPart, void, void> {
    if (open !== undefined) yield { type: `${open}-end`, id: `${open}-${blocks}` }
    open = undefined
  }

  function* add(kind: 'text' | 'reasoning', delta: unknown): Generator<LanguageModelV3StreamPart, void, void> {
    if (typeof delta !== 'string' || delta === '') return
    if (open !== kind) {
      yield* close()
      open = kind
      yield { type: `${kind}-start`, id: `${kind}-${++blocks}` }
    }
    yield { type: `${kind}-delta`, id: `${kind}-${blocks}`, delta }
  }

  return { add, close }
}

/** Joins the parts of a reply that was not streamed. */
export function resultOfParts(parts: readonly LanguageModelV3StreamPart[]): LanguageModelV3GenerateResult {
  const content: LanguageModelV3Content[] = []
  for (const part of parts) {
    if (part.type === 'error') throw part.error as Error
    if (part.type === 'text-delta') content.push({ type: 'text', text: part.delta })
    else if (part.type === 'reasoning-delta') content.push({ type: 'reasoning', text: part.delta })
    else if (part.type === 'tool-call') content.push(part)
    else if (part.type === 'finish') {
      return { content, finishReason: part.finishReason, usage: part.usage, warnings: [] }
    }
  }
  throw new Error('The reply is incomplete.')
}

/** An error for a response that is not ok, in the form of the packages' errors. */
export async function responseError(response: Response, body?: string): Promise<Error> {
  const waits = ['retry-after', 'retry-after-ms'].flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.assign(new Error(), {
    statusCode: response.status,
    responseBody: body ?? (await response.text()),
    responseHeaders: Object.fromEntries(waits),
  })
}
