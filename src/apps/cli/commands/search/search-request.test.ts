import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../../core/config/index.js'
import { configured, searchRequest } from './search-request.js'

describe('dates', () => {
  it.each(['2025-01-31', '2025-01-31T18:30', '2025-01-31T18:30:05Z', '2025-01-31T18:30:05.123+02:00', '2024-02-29'])(
    'may be written %s',
    (date) => expect(searchRequest('x', { after: date }).after).toBe(date),
  )

  it.each([
    'yesterday',
    '2025',
    '31.01.2025',
    '2025-1-31',
    '2025-02-30',
    '2025-13-01',
    '2025-01-31T25:00',
    '',
    '2025-01-31 18:30',
  ])('may not be written "%s"', (date) => {
    expect(() => searchRequest('x', { before: date })).toThrow(`--before takes an ISO date, not "${date}"`)
  })

  it('must be in order; the same day is a range of one day', () => {
    expect(() => searchRequest('x', { after: '2025-02-01', before: '2025-01-31' })).toThrow(
      'End time must be after start time',
    )
    expect(() => searchRequest('x', { after: '2025-01-31T12:00', before: '2025-01-31' })).not.toThrow()
    expect(searchRequest('x', { after: '2025-01-31', before: '2025-01-31' })).toMatchObject({ before: '2025-01-31' })
  })
})

it('takes a folder however its slashes are typed', () => {
  for (const folder of ['Projects/Alpha', 'Projects/Alpha/', './Projects/Alpha', '/Projects/Alpha/']) {
    expect(searchRequest('x', { folder }).folder).toBe('Projects/Alpha')
  }
})

it('uses the settings only where nothing was typed', () => {
  const config = configSchema.parse({ search: { limit: 3, rank: 'lexical' } })
  expect(configured(searchRequest('x'), config)).toMatchObject({ limit: 3, rank: 'lexical' })
  expect(configured(searchRequest('x', { limit: 7, rank: 'semantic' }), config)).toMatchObject({
    limit: 7,
    rank: 'semantic',
  })
})

it('takes properties as name=value, each once', () => {
  expect(searchRequest('x', { property: ['status=done', 'url=a=b'] }).properties).toEqual({
    status: 'done',
    url: 'a=b',
  })
  expect(() => searchRequest('x', { property: ['status'] })).toThrow(
    '--property takes a name and a value, not "status"',
  )
  expect(() => searchRequest('x', { property: ['a=1', 'a=2'] })).toThrow('--property a is given twice')
})
