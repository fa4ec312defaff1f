import { describe, expect, it } from 'vitest'
import { testContext } from '../../tools/testing/test-context.js'
import { checkCitations } from './check-citations.js'

const notes = {
  'Garden/Tomatoes.md':
    '# Tomatoes\n\n## Watering\n\nWater them in the morning,\nnever on the leaves.\n\nBlight comes with wet leaves. ^blight\n',
  'Garden/Beds.md': 'See [[Soil]] for compost.\n',
  'Clipped.md': 'Feed it\u200b with \u00a0nettles in June.\n',
  'Soil.md': 'Compost feeds the soil.\n',
  'Diary.md': '---\nprivate: true\n---\nSecret words here.\n',
}

const check = async (answer: string) => checkCitations(answer, await testContext(notes))

describe('citations', () => {
  it('finds a quotation in its note, whatever its line breaks, and says where', async () => {
    const [citation] = await check(
      'They say "Water them in the morning, never on the leaves." [[Garden/Tomatoes#Watering]]',
    )
    expect(citation).toMatchObject({
      path: 'Garden/Tomatoes.md',
      heading: 'Watering',
      lines: [5, 6],
      check: 'verbatim',
    })
  })

  it('finds a quotation with the marks under which hidden characters were shown to the model, or without those of blanks', async () => {
    expect(await check('"Feed it⟦U+200B⟧ with ⟦U+00A0⟧nettles" [[Clipped]]')).toMatchObject([{ check: 'verbatim' }])
    expect(await check('"with nettles in June." [[Clipped]]')).toMatchObject([{ check: 'verbatim' }])
    expect(await check('"Feed it⟦U+200B×900000⟧ with nettles" [[Clipped]]')).toMatchObject([{ check: 'differs' }])
  })

  it('flags a quotation that is not in the note', async () => {
    expect(await check('"Water them at noon" ([[Tomatoes]])')).toMatchObject([
      { quote: 'Water them at noon', check: 'differs' },
    ])
  })

  it('takes a block quote as the quotation', async () => {
    expect(await check('> Compost feeds the soil.\n> — [[Soil]]')).toMatchObject([{ check: 'verbatim', lines: [1, 1] }])
    expect(await check('> Compost feeds\n> the soil.\n\nFrom [[Soil]], as always.')).toMatchObject([
      { check: 'verbatim' },
    ])
  })

  it('knows a link inside a quotation from the one behind it', async () => {
    expect(await check('"See [[Soil]] for compost." [[Garden/Beds]]')).toMatchObject([
      { path: 'Garden/Beds.md', quote: 'See [[Soil]] for compost.', check: 'verbatim' },
    ])
    expect(await check('> See [[Soil]] for compost.\n> — [[Garden/Beds]]')).toMatchObject([
      { path: 'Garden/Beds.md', check: 'verbatim' },
    ])
    expect(await check('The note "[[Soil]]" says so.')).toMatchObject([{ path: 'Soil.md', check: 'unquoted' }])
  })

  it('tells a mention from a quotation, and a missing note or section from both', async () => {
    expect(await check('See [[Soil]] and [this](Garden/Tomatoes.md#Watering).')).toMatchObject([
      { path: 'Soil.md', check: 'unquoted' },
      { path: 'Garden/Tomatoes.md', heading: 'Watering', check: 'unquoted' },
    ])
    expect(await check('[[Nowhere]] [[Soil#Frost]] [[Tomatoes#^blight]]')).toMatchObject([
      { check: 'missing' },
      { check: 'missing' },
      { block: 'blight', lines: [8, 8], check: 'unquoted' },
    ])
  })

  it('does not confirm what a private note says', async () => {
    expect(await check('"Secret words here." [[Diary]]')).toEqual([{ raw: '[[Diary]]', check: 'missing' }])
  })

  it('ignores links in code and addresses on the web', async () => {
    expect(await check('`[[Soil]]` and\n```\n[[Soil]]\n```\nand [a page](https://example.org)')).toEqual([])
  })

  it('reads the lines an answer names', async () => {
    expect(await check('[[Garden/Tomatoes]] (lines 5-6)')).toMatchObject([{ lines: [5, 6], check: 'unquoted' }])
  })
})
