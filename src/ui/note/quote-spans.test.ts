import { describe, expect, it } from 'vitest'
import { quoteSpans } from './quote-spans.js'

const marked = (lines: string[], ...quotes: string[]) =>
  quoteSpans(lines, quotes).map((spans, at) => spans.map(([from, to]) => lines[at].slice(from, to)))

describe('a quotation in a note', () => {
  it('is marked in one line', () => {
    expect(marked(['Late blight comes with warm rain.'], 'comes with warm')).toEqual([['comes with warm']])
  })

  it('is marked over several lines, and after the marks of a quote', () => {
    expect(marked(['> Water them', '> in the morning.', 'Else not.'], 'Water them in the morning.')).toEqual([
      ['Water them'],
      ['> in the morning'],
      [],
    ])
  })

  it('is marked where it leaves out links and emphasis', () => {
    const line = 'The note about [[Slugs#What did not work]] has **saved** more lettuce.'
    expect(marked([line], 'note about Slugs has saved more')).toEqual([
      ['note about [[Slugs#What did not work]] has **saved** more'],
    ])
  })

  it('is marked at the place that holds nothing else, beside others', () => {
    expect(marked(['rain and then snow, rain snow', 'sun'], 'rain snow', 'sun')).toEqual([['rain snow'], ['sun']])
    expect(marked(['one two three'], 'one two', 'two three')).toEqual([['one two', ' three']])
  })

  it('is not marked where it does not occur', () => {
    expect(marked(['rain'], 'snow', '…')).toEqual([[]])
  })
})
