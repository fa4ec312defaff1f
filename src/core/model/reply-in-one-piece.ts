import type { LanguageModelV3Content, LanguageModelV3GenerateResult, LanguageModelV3StreamPart } from './sdk.js'

/** A reply that came whole, as the stream it would have been. */
export function replyInOnePiece({
  content,
  finishReason,
  usage,
  providerMetadata,
}: LanguageModelV3GenerateResult): ReadableStream<LanguageModelV3StreamPart> {
  const parts = content.flatMap((piece, at) => partsOf(piece, `${at}`))
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.enqueue({ type: 'finish', finishReason, usage, providerMetadata })
      controller.close()
    },
  })
}

function partsOf(piece: LanguageModelV3Content, id: string): LanguageModelV3StreamPart[] {
  if (piece.type !== 'text' && piece.type !== 'reasoning') return [piece]
  const { type, text, providerMetadata } = piece
  return [
    { type: `${type}-start`, id, providerMetadata },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id },
  ]
}
