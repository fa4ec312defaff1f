import { describe, expect, it } from 'vitest'
import { visibleText } from '../text/index.js'
import { quotableUnits, selectPassages } from './passages.js'
import { termsOf } from './terms.js'
import type { QuotableText } from './tool-results.js'

describe('quotableUnits', () => {
  const texts = (note: string, isStart = false) =>
    quotableUnits(note, undefined, isStart).map(({ text, heading }) => (heading ? `${heading}: ${text}` : text))

  it('splits a note into sentences, items, rows and plain properties, with their headings', () => {
    const note =
      '---\nrole: baker\ntags: [a]\n---\n# Oven\n\nThe oven is lit on every Saturday. It burns\nuntil the evening comes.\n\n## Log\n\n- [ ] Sweep. Then light it. ^sweep\n\n| Day | Loaves |\n| --- | --: |\n| 5 May | 42 |\n\n> [!tip] Careful\n> Mind the step there, always.\n'
    expect(texts(note, true)).toEqual([
      'role: baker',
      'Oven: The oven is lit on every Saturday.',
      'Oven: It burns until the evening comes.',
      'Log: Sweep. Then light it.',
      'Log: Day: 5 May; Loaves: 42',
      'Log: Careful',
      'Log: Mind the step there, always.',
    ])
  })

  it('turns unusual blanks into plain ones', () => {
    expect(texts(visibleText('Exporter by `@ada` \u00a0allows for exporting tables.').text)).toEqual([
      'Exporter by @ada allows for exporting tables.',
    ])
  })

  it('leaves out code, formula blocks and comments', () => {
    expect(texts('```\ncode\n```\n\n$$\nx = 1\n$$\n\n%% hidden %%\n\nSo $x$ is one, as said above.')).toEqual([
      'So x is one, as said above.',
    ])
  })

  it('quotes the heading of a section only if the section is nothing but code', () => {
    expect(
      texts(
        '# Read a value once\n\n```js\nget(key)\n```\n\n## Options\n\n### Retries\n\nThree times, then it gives up.\n',
      ),
    ).toEqual(['Read a value once: Read a value once', 'Retries: Three times, then it gives up.'])
  })

  it('keeps sentences whole across links and emphasis', () => {
    expect(
      texts('The [[Open Day|open day]] brought **424 _after_ costs**, says [the book](https://b.example).'),
    ).toEqual(['The open day brought 424 after costs, says the book.'])
  })

  it('leaves out badges, HTML, footers and rows without headers', () => {
    expect(
      texts(
        '[![CI](https://img.shields.io/ci.svg)](https://ci.example)\n\n<div align="center">Words in a <b>box</b> stay here.</div>\n\n| 5 May | 42 |\n\n[Edit](https://e.example) | [Copy](https://c.example)\n',
      ),
    ).toEqual(['Words in a box stay here.'])
  })

  it('leaves out thematic breaks', () => {
    expect(texts("Use '---' to separate the slides of a talk.")).toEqual([])
  })

  it('does not end a sentence inside a link', () => {
    expect(
      texts('See the board of the day: ![[Open Day. Part 2.canvas]] and more. Then go home in the evening.'),
    ).toEqual(['See the board of the day: Open Day. Part 2.canvas and more.', 'Then go home in the evening.'])
  })
})

describe('selectPassages', () => {
  const source = (path: string, text: string, weight = 1): QuotableText => ({
    path,
    title: path,
    text,
    isStart: false,
    weight,
  })
  const chosen = (question: string, ...sources: QuotableText[]) =>
    selectPassages(termsOf(question), sources).passages.map(({ path, text }) => `${path}: ${text}`)

  it('finds the words of the question in any form', () => {
    expect(
      chosen(
        'when to water tomatoes?',
        source('a', 'Nothing here at all.\n\nWatering a tomato is done in the morning.'),
      ),
    ).toEqual(['a: Watering a tomato is done in the morning.'])
    expect(chosen('где кориандр?', source('a', 'Хлеб с кориандром пекут здесь.'))).toEqual([
      'a: Хлеб с кориандром пекут здесь.',
    ])
  })

  it('skips near duplicates', () => {
    expect(
      chosen(
        'slugs at night',
        source('a', 'Slugs come out at night after rain.'),
        source('b', 'The slugs come out at night after rain!', 0.9),
      ),
    ).toEqual(['a: Slugs come out at night after rain.'])
  })

  it('quotes the best hits, but none with a low search score', () => {
    const hit = (path: string, text: string, score: number) => ({ ...source(path, text), score })
    const blight = hit('a', 'Late blight took all the tomatoes in the wet August.', 0.4)
    const jars = hit('b', 'Tomatoes go into the large jars, with their date.', 0.1)
    const asked = 'what did late blight do to the tomatoes in August'
    expect(chosen(asked, blight, jars)).toEqual([`a: ${blight.text}`])
    expect(chosen(asked, blight, { ...jars, score: 0.3 })).toEqual([`a: ${blight.text}`, `b: ${jars.text}`])
  })

  it('quotes the opening of a hit without any of the words, if the others do not cover the question', () => {
    const hit = (path: string, text: string, score: number) => ({ ...source(path, text), score })
    const back = hit('a', 'The team will get back to you in a week.', 0.4)
    const refunds = hit('b', 'We offer full refunds within seven days.\n\nAsk for one in your account.', 0.3)
    expect(chosen('can I get my money back', back, refunds)).toEqual([
      `a: ${back.text}`,
      'b: We offer full refunds within seven days.',
    ])
    expect(chosen('get back to the team', back, refunds)).toEqual([`a: ${back.text}`])
  })

  it('skips properties that repeat the name of the note', () => {
    const note = '---\nplugin-id: chat-import\nrole: chat keeper\n---\nBrings messages in from a phone.\n'
    const read = { ...source('Plugins/chat-import.md', note), isStart: true }
    expect(chosen('which plugin is for a chat', read)).toEqual([
      'Plugins/chat-import.md: role: chat keeper',
      'Plugins/chat-import.md: Brings messages in from a phone.',
    ])
  })

  it('tells notes about the question from notes about a part of it or something else', () => {
    const relevance = (question: string, text: string, score: number) =>
      selectPassages(termsOf(question), [{ ...source('a', text), score }]).relevance
    expect(relevance('quantum entanglement of photons', 'Photons are mentioned here.', 0.05)).toBe('none')
    expect(relevance('quantum entanglement of photons', 'Entanglement of photons.', 0.2)).toBe('part')
    expect(relevance('quantum entanglement of photons', 'Quantum entanglement of photons.', 0.6)).toBe('full')
    // 才能 手机 of 才能 能少 少玩 玩手 手机.
    expect(relevance('怎么才能少玩手机', '手机是黑色的。', 0.04)).toBe('none')
    expect(relevance('怎么才能少玩手机', '把手机放在另一个房间才能睡好。', 0.15)).toBe('full')
  })

  it('names the words that no passage contains', () => {
    const { missing, covered } = selectPassages(termsOf('what do slugs and hedgehogs eat?'), [
      source('a', 'Slugs eat seedlings.'),
    ])
    expect(missing.map(({ text }) => text)).toEqual(['hedgehogs'])
    expect(covered.map(({ text }) => text)).toEqual(['slugs', 'eat'])
  })

  it('quotes a list whole below the sentence that introduces it', () => {
    const note = 'Bread needs time.\n\nThese tools are in the shed:\n\n- a spade\n- a rake\n- two hoes\n'
    const { passages } = selectPassages(termsOf('which tools are in the shed?'), [source('Shed.md', note)])
    expect(passages).toMatchObject([{ text: 'These tools are in the shed:', items: ['a spade', 'a rake', 'two hoes'] }])
  })

  it('matches sentences by their heading', () => {
    const passages = chosen(
      'what does the smell say?',
      source('a', '## What the smell says\n\nVinegar means that it is too cold.'),
    )
    expect(passages).toEqual(['a: Vinegar means that it is too cold.'])
  })
})

describe('the linked note to read next', () => {
  const hit = (path: string, text: string, score = 0.4): QuotableText => ({
    path,
    title: path.replace(/^.*\/|\.md$/g, ''),
    text,
    isStart: false,
    weight: 1,
    score,
  })
  const select = (...sources: QuotableText[]) =>
    selectPassages(termsOf('why is there late blight in wet summers'), sources)
  const section = (words: string) => hit('Beds/Tomatoes.md', `## Wet summers\n\nLeaves fall in August${words}\n`)

  it('is linked in a sentence of a quoted section, by a name with words of the question', () => {
    expect(select(section(', see [[Garden/Late Blight]].')).linkedNote).toBe('Garden/Late Blight')
    expect(select(section(', see [[Fungi]] and [[Phytophthora#Spores|late blight]].')).linkedNote).toBe('Phytophthora')
    expect(select(section(', see [more](../Garden/Late%20Blight.md).')).linkedNote).toBe('Garden/Late Blight.md')
  })

  it.each([
    ['an entry of a list', '.\n\n- [[Late Blight]]\n- [[Rust]], [[Late Frost]]'],
    ['named for something else', ', see [[Phytophthora]] or [[Wet Wood of the Elms|this]].'],
    ['in a comment', '. %% See [[Late Blight]]. %%'],
    ['in code', '. `See [[Late Blight]]`.'],
    ['a picture', ' like this: ![[Late Blight.png]]'],
    ['on the web', ', see [late blight](https://example.org/late-blight).'],
    ['in a section that is not quoted', '.\n\n## Names\n\nAs botanists [[Late Blight|say]].'],
  ])('is never one that is %s', (_, words) => {
    expect(select(section(words)).linkedNote).toBeUndefined()
  })

  it('is a note that is not quoted yet', () => {
    const frost = hit('Late Blight.md', 'In wet summers late blight takes all of them.')
    expect(select(section(', see [[Late Blight]].'), frost).linkedNote).toBeUndefined()
  })

  it('adds one sentence, and does not change the choice of the others', () => {
    const read: QuotableText = {
      path: 'Garden/Late Blight.md',
      title: 'Late Blight',
      text: '---\nkind: late blight\n---\nCopper helps.\n\nLate blight comes in wet summers, each August.\n\nIn wet summers blight is late.\n',
      isStart: true,
      weight: 1,
      isFollowed: true,
    }
    const { passages, linkedNote, best } = select(section(', see [[Late Blight]].'), read)
    expect(passages.map(({ text }) => text)).toEqual([
      'Leaves fall in August, see Late Blight.',
      'Late blight comes in wet summers, each August.',
    ])
    expect({ linkedNote, best }).toEqual({ best: 'Beds/Tomatoes.md' })
  })
})
