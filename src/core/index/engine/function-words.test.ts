import { expect, it } from 'vitest'
import { functionWordsOf } from './function-words.js'

const plain = (text: string) => [...functionWordsOf(text.split(' '))]

it.each([
  ['how do i sync my vault', ['how', 'do', 'i', 'my']],
  ['wie war das wetter', ['wie', 'war', 'das']],
  ['почему небо не красное', ['почему', 'не']],
  ['sail sea', []],
  ['vault sync git', []],
])('are told in "%s"', (text, words) => expect(plain(text)).toEqual(words))

it('recognizes function words of one language per question only', () => {
  expect(plain('the war of the worlds')).not.toContain('war')
})
