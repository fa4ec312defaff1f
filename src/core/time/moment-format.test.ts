import { describe, expect, it } from 'vitest'
import { formatMoment, moveToDay, parseDay, wallTime } from './moment-format.js'
import { timeZone } from './time-zone.js'

const at = (instant: string, zone = 'UTC') => wallTime(Date.parse(instant), timeZone(zone))
const time = at('2024-01-05T21:04:09.078Z')

describe('formatMoment', () => {
  it.each([
    ['YYYY-MM-DD', '2024-01-05'],
    ['YY M MMM MMMM Mo', '24 1 Jan January 1st'],
    ['D Do DD DDD DDDo DDDD', '5 5th 05 5 5th 005'],
    ['d do dd ddd dddd e E', '5 5th Fr Fri Friday 5 5'],
    ['w wo ww gg gggg', '1 1st 01 24 2024'],
    ['W Wo WW GG GGGG', '1 1st 01 24 2024'],
    ['Q Qo', '1 1st'],
    ['H HH h hh k kk', '21 21 9 09 21 21'],
    ['m mm s ss S SS SSS SSSS', '4 04 9 09 0 07 078 0780'],
    ['A a', 'PM pm'],
    ['X x', '1704488649 1704488649078'],
    ['Z ZZ', '+00:00 +0000'],
    ['Hmm hmmss', '2104 90409'],
    ['Y YYYYY YYYYYY y', '2024 02024 +002024 2024'],
    ['L | LL | LLL | LLLL', '01/05/2024 | January 5, 2024 | January 5, 2024 9:04 PM | Friday, January 5, 2024 9:04 PM'],
    ['l | ll | LT | LTS', '1/5/2024 | Jan 5, 2024 | 9:04 PM | 9:04:09 PM'],
    ['[Week] w [of] gggg', 'Week 1 of 2024'],
    ['YYYY/[Q]Q/MM-MMMM/YYYY-MM-DD-dddd', '2024/Q1/01-January/2024-01-05-Friday'],
    ['[L] \\D [[]', 'L D ['],
    ['日 漢字 é', '日 漢字 é'],
    ['', ''],
  ])('writes %j as %j', (format, expected) => {
    expect(formatMoment(time, format)).toBe(expected)
  })

  it.each([
    // ISO weeks begin on Monday, and week 1 has the first Thursday; the American ones begin on Sunday, with January 1st.
    ['2021-01-01', '2020-W53', '2021-w01'],
    ['2023-01-01', '2022-W52', '2023-w01'],
    ['2024-12-29', '2024-W52', '2025-w01'],
    ['2024-12-31', '2025-W01', '2025-w01'],
    ['2026-06-14', '2026-W24', '2026-w25'],
  ])('knows the weeks of %s', (date, iso, american) => {
    const day = at(`${date}T12:00:00Z`)
    expect(formatMoment(day, 'GGGG-[W]WW')).toBe(iso)
    expect(formatMoment(day, 'gggg-[w]ww')).toBe(american)
  })

  it.each([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31])('gives %i its ending', (day) => {
    const endings: Record<number, string> = { 1: 'st', 2: 'nd', 3: 'rd', 21: 'st', 22: 'nd', 23: 'rd', 31: 'st' }
    expect(formatMoment({ ...time, day }, 'Do')).toBe(`${day}${endings[day] ?? 'th'}`)
  })

  it('has midnight and noon right', () => {
    expect(formatMoment(at('2024-01-05T00:30:00Z'), 'H h k A')).toBe('0 12 24 AM')
    expect(formatMoment(at('2024-01-05T12:30:00Z'), 'H h k A')).toBe('12 12 12 PM')
  })
})

describe('wall time', () => {
  it('is that of the user’s time zone', () => {
    expect(formatMoment(at('2024-01-15T23:30:00Z', 'Europe/Berlin'), 'YYYY-MM-DD HH:mm Z')).toBe(
      '2024-01-16 00:30 +01:00',
    )
    expect(formatMoment(at('2024-07-15T03:30:00Z', 'America/New_York'), 'YYYY-MM-DD HH:mm Z')).toBe(
      '2024-07-14 23:30 -04:00',
    )
    expect(formatMoment(at('2024-07-15T03:30:00Z', 'Asia/Kolkata'), 'HH:mm ZZ')).toBe('09:00 +0530')
  })

  it('moves to another date across a change of clocks', () => {
    const summer = moveToDay(
      at('2024-01-15T12:00:00Z', 'Europe/Berlin'),
      parseDay('2024-07-01')!,
      timeZone('Europe/Berlin'),
    )
    expect(formatMoment(summer, 'YYYY-MM-DD HH:mm Z X')).toBe(
      `2024-07-01 13:00 +02:00 ${Date.UTC(2024, 6, 1, 11) / 1000}`,
    )
  })

  it('knows which dates there are', () => {
    expect(parseDay('2024-02-29')).toBe(Date.UTC(2024, 1, 29) / 86_400_000)
    for (const text of ['2023-02-29', '2024-13-01', '2024-00-10', '2024-1-1', '0000-01-01', 'x', '']) {
      expect(parseDay(text)).toBeUndefined()
    }
  })
})
