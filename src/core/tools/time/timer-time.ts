import type { Timer, ToolContext } from '../tool-context.js'

export const minuteMs = 60_000

export function endOf({ startedAt, minutes }: Timer): number {
  return startedAt + minutes * minuteMs
}

/** "4 minutes 10 seconds" */
export function durationInWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const counted = (number: number, unit: string) =>
    number === 0 ? [] : [`${number} ${unit}${number === 1 ? '' : 's'}`]
  const parts = [...counted(Math.floor(seconds / 60), 'minute'), ...counted(seconds % 60, 'second')]
  return parts.join(' ') || '0 seconds'
}

/** The sentence for the user whose timer has ended, once. */
export async function pomodoroEnd({
  timers,
  clock,
}: Pick<ToolContext, 'timers' | 'clock'>): Promise<string | undefined> {
  const timer = await timers.get('pomodoro')
  const now = clock.now().getTime()
  if (timer === undefined || timer.isTold || endOf(timer) > now) return undefined
  await timers.set('pomodoro', { ...timer, isTold: true })
  const ago = now - endOf(timer)
  const when = ago < minuteMs ? 'is over' : `was over ${durationInWords(ago - (ago % minuteMs))} ago`
  return `Your pomodoro of ${durationInWords(timer.minutes * minuteMs)} ${when}. Time for a break.`
}
