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

export function partsOfBody(
  body: ReadableStream<Uint8Array>,
  { read, end }: PartReader,
): ReadableStream<LanguageModelV3StreamPart> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  return new ReadableStream<LanguageModelV3StreamPart>({
    async pull(controller) {
      for (let hasTold = false; !hasTold; ) {
        const { done, value } = await reader.read()
        const parts = read(done ? decoder.decode() : decoder.decode(value, { stream: true }))
        for (const part of parts) controller.enqueue(part)
        hasTold = parts.length > 0
        if (!done) continue
        for (const part of end()) controller.enqueue(part)
        return controller.close()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

export function partsInOnePiece(parts: readonly LanguageModelV3StreamPart[]): LanguageModelV3GenerateResult {
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
  throw new Error('The reply has no end.')
}
