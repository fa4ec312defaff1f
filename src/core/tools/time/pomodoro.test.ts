import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { pomodoro } from './pomodoro.js'
import { pomodoroEnd } from './timer-time.js'

describe('pomodoro', () => {
  it('runs for 25 minutes, says how long it still runs, and that it is over', async () => {
    const { at, ask } = await timer()
    expect(await ask('status')).toEqual({ state: 'none', text: 'No timer is running.' })
    expect(await ask('start')).toMatchObject({
      state: 'running',
      ends_at: '2024-01-15T12:25:00Z',
      remaining_seconds: 1500,
      text: 'Started: 25 minutes, until 12:25.',
    })
    at('12:10:30')
    expect(await ask('status')).toMatchObject({ state: 'running', text: '14 minutes 30 seconds left, until 12:25.' })
    at('12:27:00')
    expect(await ask('status')).toMatchObject({ state: 'finished', text: 'Finished 2 minutes ago.' })
    expect(await ask('start', 1)).toMatchObject({ state: 'running', minutes: 1 })
  })

  it('notifies the user once that it is over, immediately or later', async () => {
    const { at, ask, context } = await timer()
    await ask('start', 1)
    expect(await pomodoroEnd(context)).toBeUndefined()
    at('12:01:01')
    expect(await pomodoroEnd(context)).toBe('Your pomodoro of 1 minute is over. Time for a break.')
    expect(await pomodoroEnd(context)).toBeUndefined()
    await ask('start', 2)
    at('12:08:30')
    expect(await pomodoroEnd(context)).toBe('Your pomodoro of 2 minutes was over 5 minutes ago. Time for a break.')
    expect(await ask('status')).toMatchObject({ state: 'finished' })
  })

  it('stops on request, and forgets the timer', async () => {
    const { at, ask } = await timer()
    await ask('start', 50)
    at('12:01:01')
    expect(await ask('stop')).toMatchObject({ state: 'stopped', text: 'Stopped after 1 minute 1 second.' })
    expect(await ask('stop')).toMatchObject({ state: 'none' })
  })

  it('does not start over a timer that is running', async () => {
    const { at, ask } = await timer()
    await ask('start', 30)
    at('12:10:00')
    await expect(ask('start')).rejects.toMatchObject({
      code: 'conflict',
      message: 'A timer is already running, 20 minutes left.',
    })
  })
})

async function timer() {
  let now = new Date('2024-01-15T12:00:00Z')
  const context = await testContext({}, { clock: { now: () => now, timeZone: 'UTC' } })
  return {
    context,
    at: (time: string) => {
      now = new Date(`2024-01-15T${time}Z`)
    },
    ask: (action: string, minutes?: number) => pomodoro.run!({ action, minutes }, context),
  }
}
