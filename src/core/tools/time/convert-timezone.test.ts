import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/tools/call-tool.js'
import { convertTimezone } from './convert-timezone.js'

const clock = { now: () => new Date('2024-01-15T22:00:00Z'), timeZone: 'Europe/London' }

async function convert(time: string, from?: string, to?: string) {
  const output = await convertTimezone.run!({ time, from, to }, await testContext({}, { clock }))
  return { ...output, text: convertTimezone.render(output) }
}

describe('convert_timezone', () => {
  const conversions: [time: string, from: string | undefined, to: string | undefined, answer: string][] = [
    ['2024-01-31 14:30', 'Europe/Berlin', 'Asia/Tokyo', '2024-01-31T22:30:00+09:00'],
    ['2024-07-01T09:00', 'America/New_York', '+05:30', '2024-07-01T18:30:00+05:30'],
    ['2:30 pm', 'Europe/London', 'UTC', '2024-01-15T14:30:00Z'],
    // It is already the 16th in Tokyo.
    ['9am', 'Tokyo', 'Europe/London', '2024-01-16T00:00:00Z'],
    ['tomorrow at noon', undefined, 'UTC-8', '2024-01-16T04:00:00-08:00'],
    ['12 am', 'UTC', 'UTC', '2024-01-15T00:00:00Z'],
    ['12:15 p.m.', 'UTC', 'UTC', '2024-01-15T12:15:00Z'],
    ['2024-01-15T14:30:00Z', undefined, 'Asia/Kolkata', '2024-01-15T20:00:00+05:30'],
    ['2024-01-15T14:30:00+01:00', 'Europe/Berlin', 'UTC', '2024-01-15T13:30:00Z'],
  ]
  for (const [time, from, to, answer] of conversions) {
    it(`turns ${time} from ${from ?? 'here'} into ${answer}`, async () => {
      expect((await convert(time, from, to)).to.time).toBe(answer)
    })
  }

  it('says both times in full', async () => {
    expect((await convert('2024-01-31 23:30', 'Europe/Berlin', 'Asia/Tokyo')).text).toBe(
      'Wednesday 2024-01-31 23:30 (Europe/Berlin, UTC+01:00) = Thursday 2024-02-01 07:30 (Asia/Tokyo, UTC+09:00)',
    )
  })

  it('refuses a time that clocks go forward over', async () => {
    await expect(convert('2024-03-31 02:30', 'Europe/Berlin', 'UTC')).rejects.toMatchObject({
      code: 'invalid-input',
      message: '02:30 does not exist on 2024-03-31 in Europe/Berlin, because clocks go forward.',
    })
  })

  it('answers the first of two and names the second where clocks go back', async () => {
    const twice = await convert('2024-10-27 02:30', 'Europe/Berlin', 'UTC')
    expect(twice.to.time).toBe('2024-10-27T00:30:00Z')
    expect(twice.note).toContain('Sunday 2024-10-27 01:30 (UTC)')
  })

  it('refuses an offset in the time that is not that of the zone', async () => {
    await expect(convert('2024-01-15T14:30:00+05:00', 'Europe/Berlin', 'UTC')).rejects.toThrow(
      'The time says UTC+05:00, but from says Europe/Berlin.',
    )
  })

  for (const time of ['', '25:00', '13 pm', '14', '2024-02-30 10:00', 'soon', '10:61']) {
    it(`does not guess at "${time}"`, async () => {
      await expect(convert(time, 'UTC', 'UTC')).rejects.toMatchObject({ code: 'invalid-input' })
    })
  }
})
