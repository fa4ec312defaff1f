import { pomodoroEnd, type ToolContext } from '../../../core/tools/index.js'

/** Events while the user types: lines above the prompt, and reasons to redraw it. */
export interface Notices {
  /** Shown above the prompt, now or as soon as there is one. */
  tell(line: string): void
  /** The prompt's own text has changed. */
  changed(): void
  /** The prompt that is open. Returns how to stop. */
  follow(show: (line?: string) => void): () => void
}

export function notices(): Notices {
  let waiting: string[] = []
  let show: ((line?: string) => void) | undefined
  return {
    tell(line) {
      if (show === undefined) waiting.push(line)
      else show(line)
    },
    changed: () => show?.(),
    follow(given) {
      show = given
      for (const line of waiting) given(line)
      waiting = []
      return () => {
        show = undefined
      }
    },
  }
}

const everyMs = 1000

/** Says when a pomodoro has ended, in the chat and with the terminal's bell. Returns how to stop. */
export function watchTimer(context: Pick<ToolContext, 'timers' | 'clock'>, news: Pick<Notices, 'tell'>): () => void {
  const look = async () => {
    // A look that fails is repeated a moment later.
    const ended = await pomodoroEnd(context).catch(() => undefined)
    if (ended !== undefined) news.tell(`\x07${ended}\n`)
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
