import { pomodoroEnd } from '../../core/tools/index.js'
import { type WebSetup, withTemporarySession } from './web-setup.js'

/** Notifies every page when a timer has ended. */
export interface TimerWatch {
  /** Returns how to stop. */
  listen(listener: (text: string) => void): () => void
}

const everyMs = 1000

/** Polls only while a page is open. */
export function timerWatch(setup: WebSetup): TimerWatch {
  const listeners = new Set<(text: string) => void>()
  let watched: Promise<Parameters<typeof pomodoroEnd>[0]> | undefined
  let timer: ReturnType<typeof setInterval> | undefined

  async function look(): Promise<void> {
    watched ??= withTemporarySession(setup, async (session) => (await session.toolSetup()).context).catch((error) => {
      // The next look tries again: a tool or a rule that could not be read may be readable by then.
      watched = undefined
      throw error
    })
    const text = await pomodoroEnd(await watched)
    if (text !== undefined) for (const listener of listeners) listener(text)
  }

  return {
    listen(listener) {
      listeners.add(listener)
      // A look that fails is repeated a moment later.
      timer ??= setInterval(() => void look().catch(() => undefined), everyMs)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
