/** How long a client may leave what it was sent unread. */
const patienceMs = 60_000

/**
 * Texts as the body of a stream, made as fast as the client takes them: one that reads slowly slows down nobody but its
 * own backend, and one that stops reading, or is gone, ends it.
 */
export function textStream(texts: AsyncGenerator<string, void, void>, leave: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let patience: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(patience)
      try {
        const { done, value } = await texts.next()
        if (done) controller.close()
        else {
          controller.enqueue(encoder.encode(value))
          patience = setTimeout(() => {
            leave()
            controller.error(new Error('The client stopped reading.'))
          }, patienceMs)
          patience.unref()
        }
      } catch (error) {
        controller.error(error)
      }
    },
    async cancel() {
      clearTimeout(patience)
      leave()
      await texts.return()
    },
  })
}

export const serverEvent = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

export const streamEnd = 'data: [DONE]\n\n'

export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
}
