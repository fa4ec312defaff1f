import { describe, expect, it } from 'vitest'
import { findMention, takeMention } from './find-mention.js'

describe('a name after an @ or a slash', () => {
  it.each([
    ['@', { sign: '@', start: 0, wanted: '' }],
    ['see @Toma', { sign: '@', start: 4, wanted: 'Toma' }],
    ['see @[[Late bl', { sign: '@', start: 4, wanted: 'Late bl' }],
    ['ada@web', undefined],
    ['/sum', { sign: '/', start: 0, wanted: 'sum' }],
    ['/sum up', undefined],
    ['1/sum', undefined],
    ['@[[Tomatoes]] and', undefined],
    ['see @Toma\n', undefined],
  ])('is found in %j', (text, mention) => {
    expect(findMention(text, text.length)).toEqual(mention)
  })

  it('is replaced, with the cursor after it', () => {
    const text = 'see @Toma now'
    const mention = findMention(text, 9)!
    expect(takeMention(text, 9, mention, '@[[Tomatoes]]')).toEqual({ text: 'see @[[Tomatoes]] now', cursor: 18 })
  })
})
