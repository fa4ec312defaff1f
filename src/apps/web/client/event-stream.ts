/** How server-sent events are followed over `fetch`: unlike `EventSource`, it can send a credential in a header. */
interface EventStreamSetup {
  /** Opens the stream after the event with this id; without one, from the beginning. */
  open(lastEventId: string | undefined, signal: AbortSignal): Promise<Response>
  onEvent(event: string, data: string, id: string | undefined): void
  /** Called when the connection is lost or cannot be made. */
  onLost(): void
  /** True if it is of no use to try again after this error. */
  isFinal(error: unknown): boolean
  times?: { firstRetryMs: number; lastRetryMs: number; silenceMs: number }
}

/** The server sends a heartbeat every 15 seconds: a stream that is silent for longer has lost its connection. */
const usualTimes = { firstRetryMs: 250, lastRetryMs: 5000, silenceMs: 45_000 }

/** Follows a stream of events and connects again with growing pauses, until it is stopped. Returns how to stop it. */
export function followEvents(setup: EventStreamSetup): () => void {
  const { firstRetryMs, lastRetryMs, silenceMs } = setup.times ?? usualTimes
  const stopped = new AbortController()
  let lastEventId: string | undefined
  let retryMs = firstRetryMs

  async function follow(): Promise<void> {
    const connection = new AbortController()
    const end = () => connection.abort()
    stopped.signal.addEventListener('abort', end)
    let silence = setTimeout(end, silenceMs)
    try {
      const { body } = await setup.open(lastEventId, connection.signal)
      const take = eventParser((event, data, id) => {
        if (stopped.signal.aborted) return
        if (id !== undefined) lastEventId = id
        retryMs = firstRetryMs
        setup.onEvent(event, data, id)
      })
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(silence)
        silence = setTimeout(end, silenceMs)
        take(part.value)
      }
    } finally {
      clearTimeout(silence)
      stopped.signal.removeEventListener('abort', end)
      end()
    }
  }

  async function keepFollowing(): Promise<void> {
    while (!stopped.signal.aborted) {
      const failure = await follow().catch((error: unknown) => error)
      if (stopped.signal.aborted) return
      setup.onLost()
      if (failure !== undefined && setup.isFinal(failure)) return
      await pause(retryMs, stopped.signal)
      retryMs = Math.min(retryMs * 2, lastRetryMs)
    }
  }
  void keepFollowing()
  return () => stopped.abort()
}

/** Takes the text of a stream in pieces of any size and calls back for every event that is complete. */
export function eventParser(
  onEvent: (event: string, data: string, id: string | undefined) => void,
): (text: string) => void {
  let rest = ''
  let event = 'message'
  let data: string[] = []
  let id: string | undefined

  function takeLine(line: string): void {
    if (line === '') {
      if (data.length > 0) onEvent(event, data.join('\n'), id)
      event = 'message'
      data = []
      id = undefined
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id') id = value
  }

  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(line.replace(/\r$/, ''))
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
