import { describe, expect, it } from 'vitest'
import { visibleText } from '../../text/index.js'
import { termsOf } from '../words/terms.js'
import { citationLink } from './citation-link.js'
import { quotableUnits } from './quotable-units.js'
import { quote } from './quote.js'
import { selectPassages } from './select-passages.js'
import { type Source, sourcesIn } from './sources.js'

describe('a quotation', () => {
  it('is the sentence in quotation marks that do not occur in it', () => {
    expect(quote('Compost feeds the soil.')).toBe('"Compost feeds the soil."')
    expect(quote('She wrote "fair" there.')).toBe('“She wrote "fair" there.”')
    expect(quote('A "b" and “c”.')).toBe('«A "b" and “c”.»')
    expect(quote('A "b" “c” «d».')).toBeUndefined()
  })

  it('is cut between words when it is very long, and shows it', () => {
    const words = quote('word '.repeat(150).trim()) ?? ''
    expect(words).toMatch(/word"…$/)
    expect(words.length).toBeLessThan(420)
  })
})

describe('what can be quoted', () => {
  const texts = (note: string, isStart = false) =>
    quotableUnits(note, undefined, isStart).map(({ text, heading }) => (heading ? `${heading}: ${text}` : text))

  it('are sentences, items, rows and plain properties, under their headings', () => {
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

  it('have plain blanks where an editor left others', () => {
    expect(texts(visibleText('Exporter by `@ada` \u00a0allows for exporting tables.').text)).toEqual([
      'Exporter by @ada allows for exporting tables.',
    ])
  })

  it('are not code, formulas of their own and comments', () => {
    expect(texts('```\ncode\n```\n\n$$\nx = 1\n$$\n\n%% hidden %%\n\nSo $x$ is one, as said above.')).toEqual([
      'So x is one, as said above.',
    ])
  })

  it('is the heading of a section that is nothing but code, and of no other', () => {
    expect(
      texts(
        '# Read a value once\n\n```js\nget(key)\n```\n\n## Options\n\n### Retries\n\nThree times, then it gives up.\n',
      ),
    ).toEqual(['Read a value once: Read a value once', 'Retries: Three times, then it gives up.'])
  })

  it('are whole across links and emphasis', () => {
    expect(
      texts('The [[Open Day|open day]] brought **424 _after_ costs**, says [the book](https://b.example).'),
    ).toEqual(['The open day brought 424 after costs, says the book.'])
  })

  it('hold no badges, HTML, footers or rows that have lost their headers', () => {
    expect(
      texts(
        '[![CI](https://img.shields.io/ci.svg)](https://ci.example)\n\n<div align="center">Words in a <b>box</b> stay here.</div>\n\n| 5 May | 42 |\n\n[Edit](https://e.example) | [Copy](https://c.example)\n',
      ),
    ).toEqual(['Words in a box stay here.'])
  })

  it('hold no rule of dashes', () => {
    expect(texts("Use '---' to separate the slides of a talk.")).toEqual([])
  })

  it('are not cut inside a link', () => {
    expect(
      texts('See the board of the day: ![[Open Day. Part 2.canvas]] and more. Then go home in the evening.'),
    ).toEqual(['See the board of the day: Open Day. Part 2.canvas and more.', 'Then go home in the evening.'])
  })
})

describe('the passages of an answer', () => {
  const source = (path: string, text: string, weight = 1): Source => ({
    path,
    title: path,
    text,
    isStart: false,
    weight,
  })
  const chosen = (question: string, ...sources: Source[]) =>
    selectPassages(termsOf(question), sources).passages.map(({ path, text }) => `${path}: ${text}`)

  it('are those that speak of it, whatever the form of the word', () => {
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

  it('do not repeat each other', () => {
    expect(
      chosen(
        'slugs at night',
        source('a', 'Slugs come out at night after rain.'),
        source('b', 'The slugs come out at night after rain!', 0.9),
      ),
    ).toEqual(['a: Slugs come out at night after rain.'])
  })

  it('come from the best hits, but not from those in which the search found little', () => {
    const hit = (path: string, text: string, score: number) => ({ ...source(path, text), score })
    const blight = hit('a', 'Late blight took all the tomatoes in the wet August.', 0.4)
    const jars = hit('b', 'Tomatoes go into the large jars, with their date.', 0.1)
    const asked = 'what did late blight do to the tomatoes in August'
    expect(chosen(asked, blight, jars)).toEqual([`a: ${blight.text}`])
    expect(chosen(asked, blight, { ...jars, score: 0.3 })).toEqual([`a: ${blight.text}`, `b: ${jars.text}`])
  })

  it('begin a hit in which none of the words stands, where the others do not say it all', () => {
    const hit = (path: string, text: string, score: number) => ({ ...source(path, text), score })
    const back = hit('a', 'The team will get back to you in a week.', 0.4)
    const refunds = hit('b', 'We offer full refunds within seven days.\n\nAsk for one in your account.', 0.3)
    expect(chosen('can I get my money back', back, refunds)).toEqual([
      `a: ${back.text}`,
      'b: We offer full refunds within seven days.',
    ])
    expect(chosen('get back to the team', back, refunds)).toEqual([`a: ${back.text}`])
  })

  it('hold no property that is only the name of its note', () => {
    const note = '---\nplugin-id: chat-import\nrole: chat keeper\n---\nBrings messages in from a phone.\n'
    const read = { ...source('Plugins/chat-import.md', note), isStart: true }
    expect(chosen('which plugin is for a chat', read)).toEqual([
      'Plugins/chat-import.md: role: chat keeper',
      'Plugins/chat-import.md: Brings messages in from a phone.',
    ])
  })

  it('are none when the notes speak of something else', () => {
    const selection = selectPassages(termsOf('quantum entanglement of photons'), [
      source('a', 'Photons are mentioned here.'),
    ])
    expect(selection).toMatchObject({ passages: [], best: 'a' })
  })

  it('are quoted in a script without spaces too, where a third of the pairs of characters is met', () => {
    // 才能 and 手机 of 才能 能少 少玩 玩手 手机.
    expect(chosen('怎么才能少玩手机', source('a', '把手机放在另一个房间才能睡好。'))).toEqual([
      'a: 把手机放在另一个房间才能睡好。',
    ])
    expect(chosen('怎么才能少玩手机', source('a', '手机是黑色的。'))).toEqual([])
  })

  it('can come from a heading that says it', () => {
    const passages = chosen(
      'what does the smell say?',
      source('a', '## What the smell says\n\nVinegar means that it is too cold.'),
    )
    expect(passages).toEqual(['a: Vinegar means that it is too cold.'])
  })
})

describe('the note to read on in', () => {
  const hit = (path: string, text: string, score = 0.4): Source => ({
    path,
    title: path.replace(/^.*\/|\.md$/g, ''),
    text,
    isStart: false,
    weight: 1,
    score,
  })
  const select = (...sources: Source[]) => selectPassages(termsOf('why is there late blight in wet summers'), sources)
  const section = (words: string) => hit('Beds/Tomatoes.md', `## Wet summers\n\nLeaves fall in August${words}\n`)

  it('is linked in a sentence of a quoted section, under a name that has words of the question', () => {
    expect(select(section(', see [[Garden/Late Blight]].')).onward).toBe('Garden/Late Blight')
    expect(select(section(', see [[Fungi]] and [[Phytophthora#Spores|late blight]].')).onward).toBe('Phytophthora')
    expect(select(section(', see [more](../Garden/Late%20Blight.md).')).onward).toBe('Garden/Late Blight.md')
  })

  it.each([
    ['an entry of a list', '.\n\n- [[Late Blight]]\n- [[Rust]], [[Late Frost]]'],
    ['named for something else', ', see [[Phytophthora]] or [[Wet Wood of the Elms|this]].'],
    ['in a comment', '. %% See [[Late Blight]]. %%'],
    ['in code', '. `See [[Late Blight]]`.'],
    ['a picture', ' like this: ![[Late Blight.png]]'],
    ['on the web', ', see [late blight](https://example.org/late-blight).'],
    ['in a section that is not quoted', '.\n\n## Names\n\nAs botanists [[Late Blight|say]].'],
  ])('is none that is %s', (_, words) => {
    expect(select(section(words)).onward).toBeUndefined()
  })

  it('is one that is not quoted yet', () => {
    const frost = hit('Late Blight.md', 'In wet summers late blight takes all of them.')
    expect(select(section(', see [[Late Blight]].'), frost).onward).toBeUndefined()
  })

  it('is told from a hit that was read on', () => {
    const found = { path: 'Beds/Tomatoes.md', title: 'Tomatoes', chunk: 'See [[Late Blight]].', score: 0.4 }
    const read = (name: string, path: string) => ({
      name: 'read_note',
      input: { path: name },
      text: `[${path}, lines 1-2 of 2]\nCopper helps.\n`,
      isError: false,
    })
    const results = [
      { name: 'search_notes', text: JSON.stringify([found]), isError: false },
      read('Beds/Tomatoes.md', 'Beds/Tomatoes.md'),
      read('[[Late Blight]]', 'Garden/Late Blight.md'),
    ]
    const followed = sourcesIn(results).filter(({ isFollowed }) => isFollowed)
    expect(followed).toMatchObject([{ path: 'Garden/Late Blight.md', title: 'Late Blight', text: 'Copper helps.\n' }])
  })

  it('gives one sentence, and takes no part in the choice of the others', () => {
    const read: Source = {
      path: 'Garden/Late Blight.md',
      title: 'Late Blight',
      text: '---\nkind: late blight\n---\nCopper helps.\n\nLate blight comes in wet summers, each August.\n\nIn wet summers blight is late.\n',
      isStart: true,
      weight: 1,
      isFollowed: true,
    }
    const { passages, onward, best } = select(section(', see [[Late Blight]].'), read)
    expect(passages.map(({ text }) => text)).toEqual([
      'Leaves fall in August, see Late Blight.',
      'Late blight comes in wet summers, each August.',
    ])
    expect({ onward, best }).toEqual({ best: 'Beds/Tomatoes.md' })
  })
})

describe('a citation', () => {
  it('is a wikilink where one can hold the name, else a Markdown link', () => {
    expect(citationLink('Garden/Slugs.md', 'What works')).toBe('[[Garden/Slugs#What works]]')
    expect(citationLink('Slugs.md', 'A: b #c')).toBe('[[Slugs#A b c]]')
    // Links and code in a heading would make a link nobody can read.
    expect(citationLink('Slugs.md', 'A [b](https://b.example)')).toBe('[[Slugs]]')
    expect(citationLink('C# (notes).md', 'x')).toBe('[C# (notes)](C%23%20%28notes%29.md#x)')
  })
})
