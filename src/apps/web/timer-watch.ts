import { pomodoroEnd } from '../../core/tools/index.js'
import { inPassing, type WebSetup } from './web-setup.js'

/** Tells every page when a timer has ended. */
export interface TimerWatch {
  /** Returns how to stop. */
  listen(listener: (text: string) => void): () => void
}

const everyMs = 1000

/** Looks at the clock only while a page is open. */
export function timerWatch(setup: WebSetup): TimerWatch {
  const listeners = new Set<(text: string) => void>()
  let watched: Promise<Parameters<typeof pomodoroEnd>[0]> | undefined
  let timer: ReturnType<typeof setInterval> | undefined

  async function look(): Promise<void> {
    watched ??= inPassing(setup, async (session) => (await session.toolSetup()).context)
    const text = await pomodoroEnd(await watched)
    if (text !== undefined) for (const listener of listeners) listener(text)
  }

  return {
    listen(listener) {
      listeners.add(listener)
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
