import { describe, expect, it } from 'vitest'
import { testContext } from '../../../test/tools/call-tool.js'
import { notePath } from '../vault/index.js'
import { checkCitations } from './citations.js'

const notes = {
  'Garden/Tomatoes.md':
    '# Tomatoes\n\n## Watering\n\nWater them in the morning,\nnever on the leaves.\n\nBlight comes with wet leaves. ^blight\n',
  'Garden/Beds.md': 'See [[Soil]] for compost.\n',
  'Clipped.md': 'Feed it\u200b with \u00a0nettles in June.\n',
  'Soil.md': '---\naliases: [Ground]\n---\nCompost feeds the soil.\n',
  'assets/bed plan.png': 'not really a picture',
  'Board.canvas': '{}',
  'Diary.md': '---\nprivate: true\n---\nSecret words here.\n',
}

const check = async (answer: string, changed: string[] = []) =>
  checkCitations(answer, await testContext(notes), new Set(changed.map((path) => notePath(path))))

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
    expect(await check('> Compost feeds the soil.\n> — [[Soil]]')).toMatchObject([{ check: 'verbatim', lines: [4, 4] }])
    expect(await check('> Compost feeds\n> the soil.\n\nFrom [[Soil]], as always.')).toMatchObject([
      { check: 'verbatim' },
    ])
  })

  it('distinguishes a link inside a quotation from the one after it', async () => {
    expect(await check('"See [[Soil]] for compost." [[Garden/Beds]]')).toMatchObject([
      { path: 'Garden/Beds.md', quote: 'See [[Soil]] for compost.', check: 'verbatim' },
    ])
    expect(await check('> See [[Soil]] for compost.\n> — [[Garden/Beds]]')).toMatchObject([
      { path: 'Garden/Beds.md', check: 'verbatim' },
    ])
    expect(await check('The note "[[Soil]]" says so.')).toMatchObject([{ path: 'Soil.md', check: 'unquoted' }])
  })

  it('distinguishes a mention, a quotation, and a missing note or section', async () => {
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

describe('a quotation is compared with a note', () => {
  it.each([
    '"{}" [[Soil]]',
    '"{}"\n[[Soil]]',
    '"{}" ([[Soil]])',
    '"{}" ([[Soil]], lines 1-2).',
    '"{}". (See [[Soil]])',
    '"{}" — [[Soil]]',
    '"{}" (from [[Soil]])',
    '"{}" (source: [Soil](Soil.md))',
    '„{}“ (aus [[Soil]])',
    '»{}« (Quelle: [[Soil]])',
    '«{}» (voir [[Soil]])',
    '“{}” (fuente: [[Soil]])',
    '「{}」([[Soil]])',
    '"{}" [[Soil]] and "never on the leaves." [[Tomatoes]]',
    '[[Soil]]: "{}"',
    '[[Soil]]:\n\n> {}\n\nThat is all.',
    '> {}\n> — [[Soil]]',
    '> {}\n\nFrom [[Soil]], as always.',
    '> {}\n\n(Quelle: [[Soil]])',
  ])('where it is attributed to it: %s', async (form) => {
    const said = async (words: string) => (await check(form.replace('{}', words)))[0]
    expect(await said('Compost feeds the soil.')).toMatchObject({ path: 'Soil.md', check: 'verbatim' })
    expect(await said('Compost harms the soil.')).toMatchObject({ path: 'Soil.md', check: 'differs' })
  })

  it.each([
    'There is no note "Sand castles": only [[Soil]].',
    'There is no note "Sand castles"; the nearest is [[Soil]].',
    'There is no note "Sand castles". [[Soil]] is the nearest.',
    'There is no note "Sand castles" – [[Soil]] is the nearest.',
    'There is no note "Sand castles" ([[Soil]] is the nearest).',
    'Eine Notiz „Sandburgen“ gibt es nicht, nur [[Soil]].',
    'Il n’y a pas de note « Châteaux », seulement [[Soil]].',
    'No existe ninguna nota “Castillos”: solo [[Soil]].',
    '「砂の城」というノートはありません。[[Soil]] だけです。',
    'I removed "Sand feeds the soil." from [[Soil]].',
    'Ich habe „Sand nährt den Boden.“ aus [[Soil]] entfernt.',
    '"Sand castles" is not in [[Soil]].',
    'You asked about "sand castles", and [[Soil]] has nothing on them.',
    '- "Sand castles": [[Soil]]',
    'I renamed "Sand castles" to [[Soil]].',
    'The note "Soil" ([[Soil]]) is short.',
    'The note "ground" [[Soil]] is short.',
    '[[Soil]]: "sand" is missing.',
  ])('and with none otherwise: %s', async (answer) => {
    expect(await check(answer)).toMatchObject([{ path: 'Soil.md', check: 'unquoted' }])
  })

  it('and with the note that introduces it, not with the next one', async () => {
    const answer = '[[Soil]]:\n> Compost feeds the soil.\n\n[[Tomatoes]]:\n> Blight comes with wet leaves.\n'
    expect(await check(answer)).toMatchObject([
      { path: 'Soil.md', check: 'verbatim' },
      { path: 'Garden/Tomatoes.md', check: 'verbatim' },
    ])
  })

  it('unless the turn has changed the note, so that the words may be what it removed', async () => {
    for (const answer of [
      'Removed: "Sand feeds the soil." ([[Soil]])',
      'I removed this line:\n\n> Sand feeds the soil.\n\nfrom [[Soil]].',
      'The section [[Soil#Sand]] is gone.',
    ]) {
      expect(await check(answer)).not.toMatchObject([{ check: 'unquoted' }])
      expect(await check(answer, ['Soil.md'])).toEqual([
        expect.objectContaining({ path: 'Soil.md', check: 'unquoted' }),
      ])
    }
    expect(await check('Now it says "Compost feeds the soil." [[Soil]]', ['Soil.md'])).toMatchObject([
      { check: 'verbatim' },
    ])
    expect(await check('I deleted [[Old/Sand]] and [[Gone]].', ['Old/Sand.md'])).toEqual([
      { raw: '[[Gone]]', check: 'missing' },
    ])
  })
})

describe('a file that is not a note', () => {
  it.each(['![[bed plan.png]]', '![[assets/bed plan.png|300]]', '![plan](assets/bed%20plan.png)', '[[Board.canvas]]'])(
    'is not reported as a missing note where it exists: %s',
    async (link) => expect(await check(`Here it is: ${link}`)).toEqual([]),
  )

  it('is reported where it does not exist', async () => {
    expect(await check('![[other plan.png]]')).toEqual([{ raw: '![[other plan.png]]', check: 'missing' }])
  })
})
