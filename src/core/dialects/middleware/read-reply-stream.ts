import type {
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from '../../model/index.js'
import type { ReplyParts } from './reply-parts.js'

type Part = LanguageModelV3StreamPart
type Content = LanguageModelV3GenerateResult['content'][number]

/** Opens the reading of a reply's text. `hasReasoning`: the provider has sent reasoning apart from the text. */
export type OpenReply = (hasReasoning: boolean) => ReplyParts

/** Reads the text of a stream; every other part passes as it is. */
export function readReplyStream(stream: ReadableStream<Part>, open: OpenReply): ReadableStream<Part> {
  const source = stream.getReader()
  const reading = partReading(open)
  return new ReadableStream<Part>({
    async pull(controller) {
      for (;;) {
        const { done, value } = await source.read()
        const parts = done ? reading.flush() : reading.read(value)
        for (const part of parts) controller.enqueue(part)
        if (done) return controller.close()
        if (parts.length > 0) return
      }
    },
    cancel: (reason) => source.cancel(reason),
  })
}

/** The same for a reply that came in one piece. */
export function readReplyContent(
  result: LanguageModelV3GenerateResult,
  open: OpenReply,
): LanguageModelV3GenerateResult {
  const reading = partReading(open)
  const parts = result.content.flatMap((content, at): Part[] => {
    if (content.type === 'text') return reading.read({ type: 'text-delta', id: `${at}`, delta: content.text })
    if (content.type !== 'reasoning') return reading.read(content)
    const id = `thought-${at}`
    const { providerMetadata } = content
    return [
      ...reading.read({ type: 'reasoning-start', id, providerMetadata }),
      ...reading.read({ type: 'reasoning-delta', id, delta: content.text }),
      ...reading.read({ type: 'reasoning-end', id }),
    ]
  })
  const { finishReason, usage, providerMetadata } = result
  const ending = reading.read({ type: 'finish', finishReason, usage, providerMetadata })
  const finish = ending.find((part) => part.type === 'finish')
  return {
    ...result,
    content: contentOf([...parts, ...ending]),
    finishReason: finish?.finishReason ?? finishReason,
  }
}

function partReading(open: OpenReply): { read(part: Part): Part[]; flush(): Part[] } {
  let reply: ReplyParts | undefined
  let hasReasoning = false
  let hasNativeCalls = false
  let isEnded = false

  function end(isWhole: boolean): Part[] {
    if (isEnded) return []
    isEnded = true
    return reply?.end({ isWhole, passCalls: !hasNativeCalls }) ?? []
  }

  return {
    read(part) {
      switch (part.type) {
        case 'text-start':
        case 'text-end':
          return []
        case 'text-delta':
          reply ??= open(hasReasoning)
          return reply.read(part.delta)
        case 'reasoning-delta':
          hasReasoning ||= part.delta.trim() !== ''
          return [part]
        case 'tool-call':
          hasNativeCalls = true
          return [...(reply?.interrupt() ?? []), part]
        case 'finish': {
          const parts = end(part.finishReason.unified === 'stop')
          const hasCalls = hasNativeCalls || reply?.hasCalls() === true
          return [...parts, { ...part, finishReason: finishReason(part.finishReason, hasCalls) }]
        }
        case 'error':
          return [...end(false), part]
        default:
          return [part]
      }
    },
    flush: () => end(false),
  }
}

/** What cut the reply short stays the reason. */
function finishReason(given: LanguageModelV3FinishReason, hasCalls: boolean): LanguageModelV3FinishReason {
  const isCut = given.unified === 'length' || given.unified === 'content-filter' || given.unified === 'error'
  return hasCalls && !isCut ? { ...given, unified: 'tool-calls' } : given
}

/** Puts the parts of a stream together again. */
function contentOf(parts: readonly Part[]): Content[] {
  const content: Content[] = []
  const open = new Map<string, Extract<Content, { type: 'text' | 'reasoning' }>>()
  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const piece: Extract<Content, { type: 'text' | 'reasoning' }> = {
          type: part.type === 'text-start' ? 'text' : 'reasoning',
          text: '',
          ...(part.providerMetadata && { providerMetadata: part.providerMetadata }),
        }
        open.set(part.id, piece)
        content.push(piece)
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const piece = open.get(part.id)
        if (piece) piece.text += part.delta
        break
      }
      case 'file':
      case 'source':
      case 'tool-call':
      case 'tool-result':
      case 'tool-approval-request':
        content.push(part)
        break
      default:
        break
    }
  }
  return content
}
