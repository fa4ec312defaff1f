import { expect, it } from 'vitest'
import { notesWithout } from './notes-without.js'
import { openSegment } from './segment.js'
import { segmentBuilder } from './segment-builder.js'

function segmentOf(...texts: string[]) {
  const builder = segmentBuilder()
  for (const [at, text] of texts.entries()) {
    builder.add({ id: at + 1, path: '', title: `Note ${at + 1}`, names: [], extra: '', chunks: [text] })
  }
  return openSegment(builder.build())
}

const segment = segmentOf(
  'soup of leeks',
  'soup with sour cream',
  'cream that is sour',
  'leek',
  'weather',
  '关于开会的笔记',
)
const without = (...texts: string[]) => [...notesWithout([segment], texts)]

it('leaves out notes that hold a word in any of its forms', () => {
  expect(without('leek')).toEqual([2, 3, 5, 6])
  expect(without('Leeks')).toEqual([2, 3, 5, 6])
  expect(without('nowhere')).toEqual([1, 2, 3, 4, 5, 6])
  expect(without('开会')).toEqual([1, 2, 3, 4, 5])
})

it('leaves out notes that hold a phrase as it stands', () => {
  expect(without('sour cream')).toEqual([1, 3, 4, 5, 6])
  expect(without('sour cream', 'leek')).toEqual([3, 5, 6])
})

it('keeps to the notes that are allowed and alive', () => {
  const other = segmentOf('one', 'two', 'three')
  other.kill(2)
  expect([...notesWithout([other], ['one'], Int32Array.of(1, 2, 3))]).toEqual([3])
  expect([...notesWithout([other], ['nowhere'], Int32Array.of(1, 2))]).toEqual([1])
})
