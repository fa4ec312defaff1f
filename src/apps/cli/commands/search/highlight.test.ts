import { expect, it } from 'vitest'
import { highlight } from './highlight.js'

const marked = (text: string, query: string) => highlight(text, query, (word) => `<${word}>`)

it.each([
  ['Tomatoes and more', 'tomatoes', '<Tomatoes> and more'],
  ['a gardener gardens', 'gardens', 'a <gardener> <gardens>'],
  ['cart, art, artful', 'art', 'cart, <art>, <artful>'],
  ['红番茄汤', '番茄', '红<番茄>汤'],
  ['price (net) is $5.00', '(net) $', 'price (<net>) is $5.00'],
  ['nothing here', '', 'nothing here'],
  ['Übung macht', 'übung', '<Übung> macht'],
])('in "%s" finds %s', (text, query, expected) => expect(marked(text, query)).toBe(expected))

it('takes any query as words, never as a pattern', () => {
  expect(marked('a+b [c](d) \\', '.* [ ( \\ +')).toBe('a+b [c](d) \\')
})
