import { describe, expect, it } from 'vitest'
import { dateChoices, dateRange, filterFrom, filterRequest, filterWords, withFilter } from './search-filters.js'

describe('the filters of the search', () => {
  it('are read from what was typed', () => {
    expect(filterFrom('tag', ' #garden/soil ')).toEqual({ kind: 'tag', value: 'garden/soil' })
    expect(filterFrom('folder', '/Garden/')).toEqual({ kind: 'folder', value: 'Garden' })
    expect(filterFrom('property', 'status = done')).toEqual({ kind: 'property', value: 'status: done' })
    expect(filterFrom('property', 'status')).toBeUndefined()
    expect(filterFrom('tag', ' # ')).toBeUndefined()
  })

  it('are several tags and properties, one folder and one range of dates', () => {
    const [today, week] = dateChoices(new Date(2026, 2, 3))
    const filters = [
      { kind: 'tag' as const, value: 'a' },
      { kind: 'tag' as const, value: 'b' },
      { kind: 'tag' as const, value: 'A' },
      { kind: 'folder' as const, value: 'One' },
      { kind: 'folder' as const, value: 'Two' },
      { kind: 'property' as const, value: 'status: done' },
      today!,
      week!,
    ].reduce(withFilter, [])
    expect(filterRequest(filters)).toEqual({
      tags: ['b', 'A'],
      folder: 'Two',
      properties: { status: 'done' },
      after: '2026-02-25',
    })
    expect(filters.map(filterWords)).toEqual(['#b', '#A', 'In Two', 'status: done', 'Changed in the last 7 days'])
  })

  it('have a range with one end or two', () => {
    expect(dateRange('', '')).toBeUndefined()
    expect(dateRange('2026-01-01', '')).toEqual({ kind: 'date', value: 'from 2026-01-01', after: '2026-01-01' })
    expect(filterRequest([dateRange('2026-01-01', '2026-02-01')!])).toEqual({
      after: '2026-01-01',
      before: '2026-02-01',
    })
  })
})
