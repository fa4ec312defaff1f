const boundary = /\r\n\r\n|\n\n|\r\r/

/** The messages of a stream of events, as they come. Ends with the stream. */
export async function* eventMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pieces: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const piece = decoder.decode(value, { stream: !done })
      const joint = (pieces[pieces.length - 1] ?? '').slice(-3) + piece
      pieces.push(piece)
      // A long event is put together once, when its end has come.
      if (!done && !boundary.test(joint)) continue
      const events = pieces.join('').split(boundary)
      pieces = done ? [] : [events.pop() ?? '']
      for (const event of events) yield* messageIn(event)
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function* messageIn(event: string): Generator<unknown> {
  const data = event
    .split(/\r\n|\n|\r/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).replace(/^ /, '')] : []))
    .join('\n')
  if (data === '') return
  try {
    yield JSON.parse(data)
  } catch {
    // What is no message is passed over, as on every other way to a server.
  }
}
