import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateOf, dayOfIsoDate, nextDay, parseRecurrence } from './recurrence.js'
import { editTask, priorities, readTask } from './task-line.js'

const today = '2022-02-13'

/** The first dates after one on which a rule falls. */
function series(rule: string, from: string, count: number): string[] {
  const read = parseRecurrence(rule)
  const dates: string[] = []
  for (let day = dayOfIsoDate(from); read !== undefined && day !== undefined && dates.length < count; ) {
    day = nextDay(read, day)
    if (day !== undefined) dates.push(dateOf(day))
  }
  return dates
}

describe('a recurrence rule', () => {
  // The examples of the documentation of the Tasks plugin.
  it.each([
    ['every Sunday', '2021-04-25', ['2021-05-02']],
    ['every month on the last', '2022-01-31', ['2022-02-28', '2022-03-31', '2022-04-30', '2022-05-31', '2022-06-30']],
    ['every month', '2021-10-31', ['2021-11-30', '2021-12-30', '2022-01-30', '2022-02-28', '2022-03-28']],
    ['every month on the 31st', '2022-01-31', ['2022-03-31', '2022-05-31', '2022-07-31', '2022-08-31']],
    ['every 2 weeks', '2021-10-30', ['2021-11-13']],
    ['every 3 months', '2022-01-31', ['2022-04-30', '2022-07-30']],
    ['every day', '2024-02-28', ['2024-02-29', '2024-03-01']],
    ['every 3 days', '2021-12-30', ['2022-01-02']],
    ['every weekday', '2022-02-11', ['2022-02-14', '2022-02-15']],
    ['every week', '2021-02-06', ['2021-02-13']],
    ['every week on Sunday', '2022-02-13', ['2022-02-20']],
    ['every week on Tuesday, Friday', '2022-02-08', ['2022-02-11', '2022-02-15', '2022-02-18']],
    ['every 3 weeks on Friday', '2022-02-11', ['2022-03-04']],
    ['every 2 months', '2022-01-15', ['2022-03-15']],
    ['every month on the 1st', '2022-02-13', ['2022-03-01', '2022-04-01']],
    ['every month on the last Friday', '2022-02-25', ['2022-03-25', '2022-04-29']],
    ['every month on the 2nd last Friday', '2022-02-18', ['2022-03-18', '2022-04-22']],
    ['every 6 months on the 2nd Wednesday', '2022-02-09', ['2022-08-10']],
    ['every January on the 15th', '2022-01-15', ['2023-01-15']],
    ['every February on the last', '2023-02-28', ['2024-02-29', '2025-02-28']],
    [
      'every April and December on the 1st and 24th',
      '2022-04-01',
      ['2022-04-24', '2022-12-01', '2022-12-24', '2023-04-01'],
    ],
    ['every year', '2024-02-29', ['2025-02-28', '2026-02-28']],
  ])('%s after %s', (rule, from, dates) => {
    expect(series(rule, from, dates.length)).toEqual(dates)
  })

  it.each([
    '',
    'daily',
    'every',
    'every blue moon',
    'every day until 2025-01-01',
    'every day for 3 times',
    'every 0 days',
    'every week on the 1st',
  ])('is not %j', (text) => expect(parseRecurrence(text)).toBeUndefined())
})

describe('a task line', () => {
  it.each([
    ['- [ ] plain', { state: 'open', text: 'plain', dates: {}, priority: 'normal' }],
    [
      '  1. [/] Mow #task 🔺 🔁 every 2 weeks 🛫 2021-10-01 ⏳ 2021-10-28 📅 2021-10-30 ^id',
      {
        state: 'in-progress',
        text: 'Mow #task',
        priority: 'highest',
        recurrence: 'every 2 weeks',
        dates: { start: '2021-10-01', scheduled: '2021-10-28', due: '2021-10-30' },
      },
    ],
    [
      '> - [x] a [priority:: low]  (due:: 2023-04-16) [repeat:: every day when done] [completion:: 2023-04-17]',
      {
        state: 'done',
        text: 'a',
        priority: 'low',
        recurrence: 'every day when done',
        dates: { due: '2023-04-16', done: '2023-04-17' },
      },
    ],
  ])('%s', (line, task) => expect(readTask(line)).toEqual(task))

  it.each([
    ['- [ ] milk', { state: 'done' }, ['- [x] milk']],
    ['- [ ] a 📅 2022-02-01 ^x', { state: 'done' }, ['- [x] a 📅 2022-02-01 ✅ 2022-02-13 ^x']],
    ['- [x] a 📅 2022-02-01 ✅ 2022-02-13', { state: 'open' }, ['- [ ] a 📅 2022-02-01']],
    ['- [ ] a ⏫ 📅 2022-02-01', { state: 'cancelled' }, ['- [-] a ⏫ 📅 2022-02-01 ❌ 2022-02-13']],
    ['- [ ] a (due:: 2022-02-01) b', { state: 'done' }, ['- [x] a (due:: 2022-02-01) b  [completion:: 2022-02-13]']],
    ['* [ ]  a   📅  2022-02-01  x', { due: '2022-03-01' }, ['* [ ]  a   📅  2022-03-01  x']],
    ['- [ ] a 📅 2022-02-01 #b', { due: null }, ['- [ ] a #b']],
    ['- [ ] a', { due: '2022-03-01', priority: 'high' }, ['- [ ] a ⏫ 📅 2022-03-01']],
    ['- [ ] a [due:: 2022-02-01]', { priority: 'high' }, ['- [ ] a [due:: 2022-02-01]  [priority:: high]']],
    [
      '- [ ] take out the trash 🔁 every Sunday 📅 2021-04-25',
      { state: 'done' },
      [
        '- [ ] take out the trash 🔁 every Sunday 📅 2021-05-02',
        '- [x] take out the trash 🔁 every Sunday 📅 2021-04-25 ✅ 2022-02-13',
      ],
    ],
    [
      '- [ ] sweep 🔁 every week when done ⏳ 2021-02-06',
      { state: 'done' },
      [
        '- [ ] sweep 🔁 every week when done ⏳ 2022-02-20',
        '- [x] sweep 🔁 every week when done ⏳ 2021-02-06 ✅ 2022-02-13',
      ],
    ],
    [
      '-   [ ] Mow 🔁 every 2 weeks ⏳ 2021-10-28 📅 2021-10-30 🆔 ab ⛔ cd ^b',
      { state: 'done' },
      [
        '-   [ ] Mow 🔁 every 2 weeks ⏳ 2021-11-11 📅 2021-11-13',
        '-   [x] Mow 🔁 every 2 weeks ⏳ 2021-10-28 📅 2021-10-30 🆔 ab ⛔ cd ✅ 2022-02-13 ^b',
      ],
    ],
    [
      '- [ ] a 🔁 every day 🏁 delete 📅 2022-02-13',
      { state: 'done' },
      ['- [ ] a 🔁 every day 🏁 delete 📅 2022-02-14'],
    ],
    ['- [ ] a 🏁 delete', { state: 'done' }, []],
    ['- [ ] a 🔁 every year 📅 2024-02-30', { state: 'done' }, ['- [x] a 🔁 every year 📅 2024-02-30 ✅ 2022-02-13']],
  ] as const)('%s with %j', (line, edit, lines) => expect(editTask(line, edit, today)).toEqual(lines))

  it('keeps every byte when an edit is made and undone', () => {
    const field = fc.constantFrom(
      '📅 2022-02-01',
      '⏫',
      '[due:: 2022-02-01]',
      '🔁 every day',
      '#tag',
      '🆔 a1',
      'words',
      '  two',
    )
    const line = fc.tuple(
      fc.constantFrom('- ', '  * ', '1. ', '> - '),
      fc.uniqueArray(field, { maxLength: 5 }),
      fc.constantFrom('', ' ^id', '  '),
    )
    fc.assert(
      fc.property(line, fc.constantFrom('start', 'scheduled'), ([marker, fields, end], name) => {
        const before = `${marker}[ ] text ${fields.join(' ')}`.trimEnd() + end
        const [dated = ''] = editTask(before, { [name]: '2030-01-01' }, today)
        expect(readTask(dated)?.dates).toMatchObject({ [name]: '2030-01-01' })
        expect(editTask(dated, { [name]: null }, today)).toEqual([before])
        for (const priority of priorities)
          expect(readTask(editTask(before, { priority }, today)[0] ?? '')?.priority).toBe(priority)
      }),
      { numRuns: 300 },
    )
  })
})

const vault = join(process.env.NOTEWRIGHT_DATA ?? '../shared/data', 'vaults', 'tasks-docs')

/** Needs the vault unpacked in the data folder; it is never committed. */
describe.runIf(existsSync(vault))('every task of the documentation of the Tasks plugin', () => {
  it('keeps its bytes when a date is changed and changed back', () => {
    const files = readdirSync(vault, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
    const lines = files.flatMap((path) => readFileSync(join(vault, path), 'utf8').split('\n'))
    const tasks = lines.filter((line) => readTask(line) !== undefined)
    expect(tasks.length).toBeGreaterThan(500)
    for (const line of tasks) {
      for (const name of ['start', 'scheduled', 'due'] as const) {
        const [changed = ''] = editTask(line, { [name]: '2031-02-03' }, today)
        expect(readTask(changed)?.dates[name]).toBe('2031-02-03')
        expect(editTask(changed, { [name]: readTask(line)?.dates[name] ?? null }, today)).toEqual([line])
      }
    }
  })
})
