import { pomodoroEnd, type ToolContext } from '../../../../core/tools/index.js'
import type { News } from './news.js'

const everyMs = 1000

/** Says when a pomodoro has ended, in the chat and with the terminal's bell. Returns how to stop. */
export function watchTimer(context: Pick<ToolContext, 'timers' | 'clock'>, news: Pick<News, 'tell'>): () => void {
  const look = async () => {
    const ended = await pomodoroEnd(context).catch(() => undefined)
    if (ended !== undefined) news.tell(`\x07${ended}\n`)
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
