import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { getCurrentTime } from './get-current-time.js'

const clock = { now: () => new Date('2024-07-15T23:30:00Z'), timeZone: 'Europe/Berlin' }
const ask = async (timezone?: string) => getCurrentTime.run!({ timezone }, await testContext({}, { clock }))

describe('get_current_time', () => {
  it("answers in the user's time zone", async () => {
    expect(await ask()).toEqual({
      iso: '2024-07-16T01:30:00+02:00',
      epoch_ms: Date.UTC(2024, 6, 15, 23, 30),
      weekday: 'Tuesday',
      timezone: 'Europe/Berlin',
      text: 'Tuesday 2024-07-16 01:30 (Europe/Berlin, UTC+02:00)',
    })
  })

  const zones: [asked: string, name: string, iso: string][] = [
    ['America/New_York', 'America/New_York', '2024-07-15T19:30:00-04:00'],
    ['asia/tokyo', 'Asia/Tokyo', '2024-07-16T08:30:00+09:00'],
    ['New York', 'America/New_York', '2024-07-15T19:30:00-04:00'],
    ['US/Pacific', 'US/Pacific', '2024-07-15T16:30:00-07:00'],
    ['UTC', 'UTC', '2024-07-15T23:30:00Z'],
    ['Z', 'UTC', '2024-07-15T23:30:00Z'],
    ['+05:30', 'UTC+05:30', '2024-07-16T05:00:00+05:30'],
    ['UTC+8', 'UTC+08:00', '2024-07-16T07:30:00+08:00'],
    ['gmt-0330', 'UTC-03:30', '2024-07-15T20:00:00-03:30'],
    ['-3', 'UTC-03:00', '2024-07-15T20:30:00-03:00'],
  ]
  for (const [asked, name, iso] of zones) {
    it(`knows the zone ${asked}`, async () => {
      expect(await ask(asked)).toMatchObject({ timezone: name, iso })
    })
  }

  it('refuses a zone it does not know, and names those that come near', async () => {
    await expect(ask('Mars/Olympus')).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'Unknown time zone: Mars/Olympus',
    })
    await expect(ask('+25:00')).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(ask('')).rejects.toMatchObject({ code: 'invalid-input' })
    await expect(ask('Indiana')).rejects.toMatchObject({
      details: { hint: expect.stringContaining('America/Indiana/') },
    })
  })
})
