import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { previewOf } from './preview.js'

const preview = (content: string, query: string): string => previewOf(query)(content)

describe('a preview', () => {
  const filler = 'Plain words that nobody asked about go on and on. '.repeat(20)

  it('is the whole passage on one line when it is short', () => {
    expect(preview('# Bread\n\nFlour,  water,\tsalt.', 'salt')).toBe('# Bread Flour, water, salt.')
  })

  it('shows the part with most of the words, not the first match', () => {
    const text = `Tomatoes once. ${filler}Watering the tomatoes at the bottom of the bed. ${filler}`
    const shown = preview(text, 'watering tomatoes bed')
    expect(shown).toContain('Watering the tomatoes at the bottom of the bed.')
    expect(shown).toMatch(/^….*…$/)
  })

  it('finds other forms of a word, and characters of a script without spaces', () => {
    expect(preview(`${filler}The gardeners met. ${filler}`, 'gardening')).toContain('gardeners')
    expect(
      preview(`${'普通的字没有人问起过的话'.repeat(40)}黑豹队的防守${'一二三四五六七八九十'.repeat(40)}`, '黑豹防守'),
    ).toContain('黑豹队的防守')
  })

  it('starts at the beginning if no word matches', () => {
    expect(preview(filler, 'zebra')).toMatch(/^Plain words/)
  })

  it('shows no link targets, badges, comments or tags, and ignores words in those', () => {
    const badges = '![Downloads](https://img.example/git/total?style=badge) '.repeat(8)
    const foot = '<span class="git-footer">[Edit](https://example.org/git/edit "git-edit") | <br/>[Copy](git.md)</span>'
    const text = `%% ----- git ----- %%\n${badges}\n# Memos\n\nKeep [[Git (tool)|git]] and [your memos](https://example.org/a_(b)) in step with [[Sync]].\n${filler}\n<!-- git -->\n${foot}`
    expect(preview(text, 'git')).toMatch(/^# Memos Keep git and your memos in step with Sync\. Plain words/)
    expect(preview(foot, 'git')).toBe('Edit | Copy')
  })

  it('keeps text that only looks like markup', () => {
    const code = 'const seen: Map<string, number> = new Map() // 50 %% of [all] (or less) <3'
    expect(preview(code, 'seen')).toBe(code)
  })

  it('collapses white space of any length into one space', () => {
    const words = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,9}$/), fc.stringMatching(/^[ \t\n\r\u00a0]{1,40}$/)))
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.flat().join('')
        const plain = text.slice(0, 960).replace(/\s+/g, ' ').trim()
        const shown = preview(text, '')
        if (text.length <= 240) expect(shown).toBe(text.replace(/\s+/g, ' ').trim())
        else expect(plain.startsWith(shown.replace(/…$/, ''))).toBe(true)
        if (plain.length > 240) expect(shown.length).toBeGreaterThan(200)
      }),
    )
  })

  it('is never much longer than the limit, and never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), fc.string({ unit: 'grapheme' }), (text, query) => {
        const shown = preview(text, query)
        expect(shown.length).toBeLessThanOrEqual(242)
        expect(isWellFormed(shown)).toBe(true)
      }),
    )
  })
})

function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
}
