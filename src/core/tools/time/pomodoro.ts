import * as z from 'zod'
import { Failure } from '../../errors.js'
import { isoTime, timeZone } from '../../time/index.js'
import { defineTool } from '../tool.js'
import type { Timer, ToolContext } from '../tool-context.js'
import { durationInWords, endOf, minuteMs } from './timer-time.js'

const timerName = 'pomodoro'
const defaultMinutes = 25

export const pomodoro = defineTool({
  name: timerName,
  title: 'Pomodoro timer',
  description: 'A timer for focused work: start it, get the time left, or stop it.',
  activity: 'Checking the timer',
  category: 'time',
  effects: [],
  onRequest: 'timer',
  input: z.object({
    action: z.enum(['start', 'status', 'stop']),
    minutes: z.number().min(1).max(240).optional().describe(`For start; default ${defaultMinutes}`),
  }),
  example: { action: 'start', minutes: 25 },
  output: z.object({
    state: z.enum(['running', 'finished', 'stopped', 'none']),
    minutes: z.number().optional(),
    started_at: z.string().optional(),
    ends_at: z.string().optional(),
    remaining_seconds: z.number().optional(),
    text: z.string(),
  }),

  async run({ action, minutes }, context) {
    const now = context.clock.now().getTime()
    const timer = await context.timers.get(timerName)
    if (action === 'start') {
      if (timer !== undefined && endOf(timer) > now) throw alreadyRunning(timer, now)
      const started = { startedAt: now, minutes: minutes ?? defaultMinutes }
      await context.timers.set(timerName, started)
      return describeState('running', started, context, `Started: ${durationInWords(started.minutes * minuteMs)}`)
    }
    if (timer === undefined) return { state: 'none' as const, text: 'No timer is running.' }
    const over = endOf(timer) <= now
    if (action === 'stop') await context.timers.set(timerName, undefined)
    if (over) return describeState('finished', timer, context, `Finished ${durationInWords(now - endOf(timer))} ago`)
    return action === 'stop'
      ? describeState('stopped', timer, context, `Stopped after ${durationInWords(now - timer.startedAt)}`)
      : describeState('running', timer, context, `${durationInWords(endOf(timer) - now)} left`)
  },

  render: ({ text }) => text,
  summary: ({ state }) => state,
})

type State = 'running' | 'finished' | 'stopped'

function describeState(state: State, timer: Timer, { clock }: ToolContext, text: string) {
  const zone = timeZone(clock.timeZone)
  const remaining = endOf(timer) - clock.now().getTime()
  const end = isoTime(endOf(timer), zone)
  return {
    state,
    minutes: timer.minutes,
    started_at: isoTime(timer.startedAt, zone),
    ends_at: end,
    ...(state === 'running' && { remaining_seconds: Math.ceil(remaining / 1000) }),
    text: state === 'running' ? `${text}, until ${end.slice(11, 16)}.` : `${text}.`,
  }
}

function alreadyRunning(timer: Timer, now: number): Failure {
  return new Failure('conflict', `A timer is already running, ${durationInWords(endOf(timer) - now)} left.`, {
    hint: 'Stop it before starting another.',
  })
}
