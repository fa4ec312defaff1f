import type { ToolContext } from '../tool-context.js'
import { duration, endOf, minuteMs } from './timer-time.js'

/** The sentence for the person whose timer has ended, once. */
export async function pomodoroEnd({
  timers,
  clock,
}: Pick<ToolContext, 'timers' | 'clock'>): Promise<string | undefined> {
  const timer = await timers.get('pomodoro')
  const now = clock.now().getTime()
  if (timer === undefined || timer.isTold || endOf(timer) > now) return undefined
  await timers.set('pomodoro', { ...timer, isTold: true })
  const ago = now - endOf(timer)
  const when = ago < minuteMs ? 'is over' : `was over ${duration(ago - (ago % minuteMs))} ago`
  return `Your pomodoro of ${duration(timer.minutes * minuteMs)} ${when}. Time for a break.`
}
