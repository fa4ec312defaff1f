import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notes } from './notes.js'

describe('a canvas', () => {
  it('follows what moves: cards, backgrounds and links in text, counted, with every other byte kept', async () => {
    const canvas = [
      '\uFEFF{ "nodes":[',
      '\t{"id":"1", "type":"file","file":"Old.md" ,"subpath":"#Old.md","x":0},',
      '\t{"type":"file","file":"Other.md","label":"Old.md"},',
      '\t{"text":"\\u00a7 \\"see\\" [[Old|\\/x]] and `[[Old]]`\\n[y](Old.md)", "type":"text"},',
      '\t{"type":"group","background":"Old.md", "nested":{"file":"Old.md"}}, null, "Old.md"',
      '\t],\r\n  "edges":[ {"file":"Old.md"} ], "file":"Old.md" }\n',
    ].join('\n')
    const vault = notes({ 'Old.md': '', 'Other.md': '', 'Board.canvas': canvas, 'Broken.canvas': '{"nodes":[' })
    const { impact, changeSet } = await vault.move('Old.md', 'sub/New é.md')
    expect(impact).toMatchObject({
      links: 4,
      notes: 0,
      byKind: { canvas: 4 },
      canvases: [{ path: 'Board.canvas', count: 4 }],
    })
    expect(await vault.read('Board.canvas')).toBe(
      canvas
        .replace('"type":"file","file":"Old.md" ,', '"type":"file","file":"sub/New é.md" ,')
        .replace('[[Old|', '[[New \\u00e9|')
        .replace('(Old.md)', '(New%20\\u00e9.md)')
        .replace('"background":"Old.md"', '"background":"sub/New é.md"'),
    )
    await vault.vault.apply(await vault.vault.planUndo({ id: changeSet.id }))
    expect(await vault.read('Board.canvas')).toBe(canvas)
  })

  it('that moves itself keeps where its text cards lead', async () => {
    const text = '[[./Note]] [x](../Top.md)'
    const vault = notes({ 'a/Note.md': '', 'Top.md': '', 'a/B.canvas': JSON.stringify({ nodes: [{ text }] }) })
    await vault.move('a/B.canvas', 'b/c/B.canvas')
    expect(JSON.parse((await vault.read('b/c/B.canvas'))!).nodes[0].text).toBe('[[../../a/Note]] [x](../../Top.md)')
  })

  it('of any layout changes only in its references', async () => {
    const word = fc.oneof(fc.constantFrom('Old.md', 'Other.md', 'file', 'nodes', 'text', '[[Old]]'), fc.string())
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        word,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(word, tie('any'), { maxKeys: 3 }),
      ),
    })).any
    const card = fc.record({ file: word, text: word, background: word, more: value }, { requiredKeys: [] })
    const board = fc.record({ nodes: fc.array(fc.oneof(card, value)), edges: value }, { requiredKeys: [] })
    const layout = fc.constantFrom(undefined, 1, '\t')
    const escapes = fc.boolean()
    await fc.assert(
      fc.asyncProperty(board, layout, escapes, async (data, indent, isEscaped) => {
        const json = JSON.stringify(data, null, indent)
        const source = isEscaped ? json.replace(/[^\0-\x7f]/g, escaped) : json
        const vault = notes({ 'Old.md': '', 'Other.md': '', 'Board.canvas': source })
        await vault.move('Old.md', 'New.md')
        const now = (await vault.read('Board.canvas'))!
        // As long as before, and different only where a reference stood.
        expect(now).toHaveLength(source.length)
        expect(now.replaceAll('New', 'Old')).toBe(source.replaceAll('New', 'Old'))
        for (const [at, node] of (JSON.parse(source).nodes ?? []).entries()) {
          if (typeof node !== 'object' || node === null || Array.isArray(node)) continue
          const moved = JSON.parse(now).nodes[at]
          for (const field of ['file', 'background']) {
            expect(moved[field]).toEqual(node[field] === 'Old.md' ? 'New.md' : node[field])
          }
          if (node.text === '[[Old]]') expect(moved.text).toBe('[[New]]')
          expect(moved.more).toEqual(node.more)
        }
      }),
      { numRuns: 150 },
    )
  })
})

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
