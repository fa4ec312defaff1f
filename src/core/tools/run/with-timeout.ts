import { Failure } from '../../errors.js'

/** For tools that name no limit of their own. */
export const defaultTimeoutMs = 30_000

/**
 * Runs work that really ends: when time is up or the user stops, its signal aborts, and even work that does not
 * listen is no longer waited for. While it holds the clock, time does not count.
 */
export async function withTimeout<T>(
  name: string,
  ms: number,
  outer: AbortSignal,
  work: (signal: AbortSignal, holdClock: () => () => void) => Promise<T>,
): Promise<T> {
  outer.throwIfAborted()
  const inner = new AbortController()
  let stop: (reason: unknown) => void = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = reject
  })
  const abort = (reason: unknown) => {
    inner.abort(reason)
    stop(reason)
  }
  const clock = pausableTimer(ms, () =>
    abort(new Failure('timeout', `${name} timed out after ${ms}ms`, { hint: 'Try a smaller request.' })),
  )
  const forget = onAbort(outer, () => abort(outer.reason))
  try {
    return await Promise.race([work(inner.signal, clock.hold), stopped])
  } finally {
    clock.stop()
    forget()
  }
}

/** With several holds, it resumes when all are released. */
function pausableTimer(ms: number, onEnd: () => void): { hold: () => () => void; stop(): void } {
  let left = ms
  let since = performance.now()
  let holders = 0
  let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(onEnd, left)
  let isStopped = false

  function letGo(): void {
    if (--holders > 0 || isStopped) return
    since = performance.now()
    timer = setTimeout(onEnd, left)
  }

  return {
    hold() {
      if (holders++ === 0) {
        clearTimeout(timer)
        left -= performance.now() - since
      }
      let isHeld = true
      return () => {
        if (isHeld) letGo()
        isHeld = false
      }
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

const listening = new WeakMap<AbortSignal, Set<() => void>>()

/** One listener per signal for all waiting work: hosts warn of a leak with many listeners. */
function onAbort(signal: AbortSignal, react: () => void): () => void {
  let reactions = listening.get(signal)
  if (reactions === undefined) {
    const all = new Set<() => void>()
    reactions = all
    listening.set(signal, all)
    const tellAll = () => {
      for (const each of all) each()
    }
    signal.addEventListener('abort', tellAll, { once: true })
  }
  const own = reactions
  own.add(react)
  return () => void own.delete(react)
}
