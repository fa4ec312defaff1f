import type { MessageMeter } from './message-limits.js'

const lineFeed = 10
const carriageReturn = 13

/**
 * A body that is read only as far as the meter allows: as one message, or, of a stream of events, event by event. What is
 * too much is told once, and nothing more is read.
 */
export function measuredBody(
  body: ReadableStream<Uint8Array>,
  { meter, isStream, onExcess }: { meter: MessageMeter; isStream: boolean; onExcess: (error: unknown) => void },
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const measure = isStream ? eventMeasure(meter) : wholeMeasure(meter)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      try {
        measure(value)
        controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        onExcess(error)
        await reader.cancel(error).catch(() => undefined)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function wholeMeasure(meter: MessageMeter): (bytes: Uint8Array) => void {
  let length = 0
  return (bytes) => {
    length += bytes.length
    meter.checkLength(length)
  }
}

/** An event ends with an empty line. */
function eventMeasure(meter: MessageMeter): (bytes: Uint8Array) => void {
  let length = 0
  let isLineEmpty = true
  let last = 0
  return (bytes) => {
    for (const byte of bytes) {
      length++
      const isEnd = byte === lineFeed || byte === carriageReturn
      const isSecondHalf = byte === lineFeed && last === carriageReturn
      last = byte
      if (isSecondHalf) continue
      if (isEnd && isLineEmpty) {
        meter.countUnasked()
        length = 0
      }
      isLineEmpty = isEnd
    }
    meter.checkLength(length)
  }
}
