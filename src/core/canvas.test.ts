import { describe, expect, it } from 'vitest'
import { canvasChanges, readCanvas } from './canvas.js'

const place = { x: 0, y: 0, width: 100, height: 50 }
const text = (id: string, words: string) => ({ id, type: 'text', text: words, ...place })
const json = (nodes: object[], edges: object[] = []) => JSON.stringify({ nodes, edges })

describe('a canvas', () => {
  it('is read with its cards and lines; an empty file is an empty canvas', () => {
    const nodes = [
      text('a', 'Hi'),
      { id: 'b', type: 'file', file: 'Soil.md', ...place },
      { id: 'g', type: 'group', ...place },
    ]
    expect(readCanvas(json(nodes, [{ id: 'e', fromNode: 'a', toNode: 'b', fromSide: 'left' }]))).toEqual({
      nodes: [
        { id: 'a', type: 'text', about: 'Hi' },
        { id: 'b', type: 'file', about: 'Soil.md' },
        { id: 'g', type: 'group', about: '' },
      ],
      edges: [{ id: 'e', from: 'a', to: 'b' }],
    })
    expect(readCanvas(' \n')).toEqual({ nodes: [], edges: [] })
    expect(readCanvas('{}')).toEqual({ nodes: [], edges: [] })
  })

  it.each([
    ['no JSON', '{', 'not valid JSON'],
    ['a list', '[]', 'an object with "nodes"'],
    ['nodes that are none', '{"nodes": {}}', 'nodes must be a list'],
    ['a card without an id', json([{ ...text('', 'x') }]), 'nodes[0] needs an id'],
    ['a card of no kind', json([{ ...text('a', 'x'), type: 'note' }]), 'nodes[0].type'],
    ['a card without a place', json([{ ...text('a', 'x'), x: 'left' }]), 'nodes[0].x'],
    ['a card without what it shows', json([{ id: 'a', type: 'file', ...place }]), 'nodes[0].file'],
    ['one id twice', json([text('a', 'x'), text('a', 'y')]), 'the id "a"'],
    ['a line to nowhere', json([text('a', 'x')], [{ id: 'e', fromNode: 'a', toNode: 'b' }]), 'points to "b"'],
    ['a side there is not', json([text('a', 'x')], [{ id: 'e', fromNode: 'a', toNode: 'a', toSide: 'up' }]), 'toSide'],
    ['a name of every object', json([{ ...text('a', 'x'), type: 'constructor' }]), 'nodes[0].type'],
  ])('is rejected with %s', (_what, source, words) => {
    expect(() => readCanvas(source)).toThrow(words)
  })

  it('lists what a new version adds, removes and changes', () => {
    const before = readCanvas(json([text('a', 'One'), text('b', 'Two')], [{ id: 'e', fromNode: 'a', toNode: 'b' }]))
    const after = readCanvas(
      json([
        { ...text('a', 'Uno'), x: 9 },
        { id: 'c', type: 'file', file: 'Soil.md', ...place },
      ]),
    )
    expect(canvasChanges(before, after)).toEqual([
      'removes the text card "Two"',
      'adds the card of "Soil.md"',
      'changes the text card "One" to the text card "Uno"',
      'removes 1 line between cards',
    ])
    expect(
      canvasChanges(after, readCanvas(json([text('a', 'Uno'), { id: 'c', type: 'file', file: 'Soil.md', ...place }]))),
    ).toEqual([])
  })
})
