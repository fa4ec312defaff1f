import { linkedAbort } from '../model/index.js'
import type { ToolSetup } from '../tools/index.js'

/** Counts the time of a turn without the time in which a person was deciding, or their machine read a prompt. */
export interface TimeLimit {
  isOver(): boolean
  /** Aborts when the person stops, or when a step runs on long after the limit. */
  signal: AbortSignal
  /** Watches the tools, to leave out the waiting. */
  watch(tools: ToolSetup): ToolSetup
  /** What passes until the answer is called does not count. */
  leaveOut(): () => void
  stop(): void
}

/** What a last answer may take after the limit. */
const graceMs = 60_000

export function timeLimit(ms: number, outer: AbortSignal): TimeLimit {
  const startedAt = performance.now()
  let waited = 0
  const waiting = new Map<unknown, number>()
  const inner = linkedAbort(outer)
  const elapsed = () => {
    const now = performance.now()
    const current = waiting.size === 0 ? 0 : now - Math.min(...waiting.values())
    return now - startedAt - waited - current
  }
  let timer: ReturnType<typeof setTimeout>
  const check = () => {
    const left = ms + graceMs - elapsed()
    if (left <= 0) inner.abort(new Error('The time limit is over.'))
    else timer = setTimeout(check, Math.max(left, 1000))
  }
  timer = setTimeout(check, ms + graceMs)

  /** What is waited for side by side is waited for once: only the last to end ends the wait. */
  const endWait = (of: unknown) => {
    const since = waiting.get(of)
    waiting.delete(of)
    if (since !== undefined && waiting.size === 0) waited += performance.now() - since
  }

  return {
    isOver: () => elapsed() > ms,
    signal: inner.signal,
    watch: (tools) => ({
      ...tools,
      onStep(step) {
        tools.onStep?.(step)
        if (step.step === 'proposed') waiting.set(step.proposed.callId, performance.now())
        else if (step.step === 'ruled') endWait(step.proposed.callId)
      },
    }),
    leaveOut() {
      const wait = {}
      waiting.set(wait, performance.now())
      return () => endWait(wait)
    },
    stop() {
      clearTimeout(timer)
      inner.release()
    },
  }
}
