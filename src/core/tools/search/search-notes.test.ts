import { describe, expect, it } from 'vitest'
import { answerOf, callTool, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import type { SearchRequest } from '../../index/index.js'
import { estimateTokens } from '../../text/index.js'
import { fitPassages, searchNotes } from './search-notes.js'

const garden = {
  'Garden/Tomatoes.md': '# Tomatoes\n\nSow in March.\n\n## Planting\n\nHarden seedlings off. #garden/vegetables\n',
  'Garden/Roses.md': '# Roses\n\nPrune roses in spring. #garden\n',
  'Work/Report.md': '---\ncreated: 2023-06-01\n---\nThe spring report is due.\n',
  'Secret.md': '---\nprivate: true\n---\nThe spring canary sings.\n',
  'Hidden/Plan.md': 'A spring canary.\n',
  '.notewrightignore': 'Hidden/\n',
}

const paths = async (input: unknown, context: Awaited<ReturnType<typeof testContext>>): Promise<string[]> =>
  (await answerOf(searchNotes, input, context)).output.results.map(({ path }: { path: string }) => path)

describe('search_notes', () => {
  it('answers whole passages with path, title, heading, lines and score, best first', async () => {
    const context = await testContext(garden)
    const {
      output: { results },
      text,
      provenance,
      summary,
    } = await answerOf(searchNotes, { query: 'seedlings' }, context)
    expect(results).toEqual([
      {
        path: 'Garden/Tomatoes.md',
        title: 'Tomatoes',
        chunk: '# Tomatoes\n\nSow in March.\n\n## Planting\n\nHarden seedlings off. #garden/vegetables',
        score: expect.any(Number),
        heading: 'Tomatoes',
        lines: [1, 7],
      },
    ])
    // The path says the title already.
    const [{ title: _, ...shown }] = results
    expect(JSON.parse(text)).toEqual([{ ...shown, score: Math.round(shown.score * 100) / 100 }])
    expect(provenance).toEqual(['own-note'])
    expect(summary).toBe('1 note')
  })

  it('refers to a passage that the model can still see, until the note changes', async () => {
    const long = `Harden seedlings off. ${'Water them well in the morning. '.repeat(6)}`
    const known: string[] = []
    const context = await testContext({ 'A.md': long }, { isShown: (text) => known.includes(text) })
    const first = await answerOf(searchNotes, { query: 'seedlings' }, context)
    expect(first.text).toContain('Water them well')
    known.push(first.output.results[0].chunk)
    const second = await answerOf(searchNotes, { query: 'seedlings off' }, context)
    expect(JSON.parse(second.text)[0]).toMatchObject({ chunk: '(already shown above, A.md lines 1-1)' })
    expect(second.output.results[0]).toMatchObject({ chunk: first.output.results[0].chunk, shown: true })
    const changed = await testContext({ 'A.md': `${long} More.` }, { isShown: (text) => known.includes(text) })
    expect((await answerOf(searchNotes, { query: 'seedlings' }, changed)).text).toContain('Water them well')
  })

  it('shortens the passages of many hits, so that fifty take fewer than 6,000 tokens', async () => {
    const files = Array.from({ length: 60 }, (_, at) => [`Notes/${at}.md`, `topic ${'words about it. '.repeat(120)}`])
    const context = await testContext(Object.fromEntries(files))
    const { output, text } = await answerOf(searchNotes, { query: 'topic', top_k: 50 }, context)
    expect(output.results).toHaveLength(50)
    expect(estimateTokens(text)).toBeLessThan(6000)
  })

  it('never finds a private or an excluded note', async () => {
    const context = await testContext(garden)
    const { text } = await answerOf(searchNotes, { query: 'spring canary' }, context)
    expect(text).not.toMatch(/Secret|Hidden|canary sings|A spring/)
  })

  it('filters by property, whatever the kind of its value', async () => {
    const context = await testContext({
      'A.md': '---\nstatus: open\npriority: 2\n---\nspring',
      'B.md': '---\nstatus: [done, open]\n---\nspring',
      'C.md': '---\nstatus: done\n---\nspring',
    })
    const filtered = async (properties: unknown, query = 'spring') =>
      (await paths({ query, filter: { properties } }, context)).sort()
    expect(await filtered({ status: 'open' })).toEqual(['A.md', 'B.md'])
    expect(await filtered({ status: 'open', priority: 2 })).toEqual(['A.md'])
    expect(await filtered({ status: 'done' }, '')).toEqual(['B.md', 'C.md'])
  })

  it("asks for the user's own words in their own language", () => {
    expect(searchNotes.guidance).toMatch(/own words.*own language/)
  })

  it('filters by tag, folder and date', async () => {
    const context = await testContext(garden)
    expect(await paths({ query: 'spring', filter: { tags: ['#garden'] } }, context)).toEqual(['Garden/Roses.md'])
    expect(await paths({ query: 'spring', filter: { folder: 'Work/' } }, context)).toEqual(['Work/Report.md'])
    const created = { date_field: 'created', date_after: '2023-05-01', date_before: '2023-06-30' }
    expect(await paths({ query: 'spring', filter: created }, context)).toEqual(['Work/Report.md'])
    expect(await failureOf(searchNotes, { query: 'x', filter: { folder: '../out' } }, context)).toMatchObject({
      code: 'path',
    })
  })

  it('takes top_k above 50 as 50 and says so', async () => {
    const notes = Array.from({ length: 60 }, (_, number) => [`${number}.md`, `apples number ${number}`])
    const context = await testContext(Object.fromEntries(notes))
    expect(await paths({ query: 'apples', top_k: 3 }, context)).toHaveLength(3)
    const {
      output: { results },
      text,
    } = await answerOf(searchNotes, { query: 'apples', top_k: 500 }, context)
    expect(results).toHaveLength(50)
    expect(text).toContain('top_k can be at most 50, so 50 was used.')
  })

  it('adds salient terms that the query does not hold, never as a phrase', async () => {
    const context = await testContext(garden)
    const terms = { query: 'what to do with plants', salient_terms: ['prune', '"no such phrase"', 'plants'] }
    expect(await paths(terms, context)).toContain('Garden/Roses.md')
    expect(await paths({ query: '', salient_terms: ['prune'] }, context)).toEqual(['Garden/Roses.md'])
    const asked: string[] = []
    const search = (request: SearchRequest) => {
      asked.push(request.query)
      return context.index.search(request)
    }
    const listening = { ...context, index: { ...context.index, search } }
    await callTool(searchNotes, { query: 'Prune roses', salient_terms: ['roses', 'Prune', 'spring'] }, listening)
    expect(asked).toEqual(['Prune roses spring'])
  })

  it('says which words it searched instead of words the vault does not contain', async () => {
    const context = await testContext(garden)
    expect((await answerOf(searchNotes, { query: 'seedlinsg' }, context)).text).toContain('searched: seedlings')
  })

  it('lists notes by a filter alone, and asks for words when there is nothing to go by', async () => {
    const context = await testContext(garden)
    expect(await paths({ query: '', filter: { folder: 'Garden' } }, context)).toHaveLength(2)
    expect(await failureOf(searchNotes, { query: '  ' }, context)).toMatchObject({
      code: 'invalid-input',
      text: expect.stringMatching(/^Tool search_notes validation failed: query: empty/),
    })
  })

  it('shows hidden tag characters of a passage as escapes', async () => {
    const context = await testContext({ 'a.md': 'apples \u{e0063}\u{e0061} pears' })
    const {
      output: { results },
    } = await answerOf(searchNotes, { query: 'apples' }, context)
    expect(results[0].chunk).toBe('apples ⟦U+E0063 U+E0061⟧ pears')
  })

  it('keeps a title of any length short', async () => {
    const context = await testContext({ 'a.md': `# ${'long '.repeat(100_000)}\n\napples` })
    const {
      output: { results },
    } = await answerOf(searchNotes, { query: 'apples' }, context)
    expect(results[0].title.length).toBeLessThanOrEqual(201)
  })
})

describe('the time of notes that search_notes finds', () => {
  const june = Date.UTC(2023, 5, 1)
  const july = Date.UTC(2023, 6, 1)

  async function dated() {
    return testContext({
      '2023-06-12.md': 'apples in June',
      'New.md': 'apples, changed just now',
      'Old.md': '---\ncreated: 2020-01-01\n---\napples of old',
    })
  }

  it.each([
    ['epoch milliseconds', { startTime: june, endTime: july }],
    ['numbers as text', { startTime: `${june}`, endTime: `${july}` }],
    ['dates', { startTime: '2023-06-01', endTime: '2023-06-12' }],
    ['date-times', { startTime: '2023-06-01T00:00:00Z', endTime: '2023-07-01T00:00:00Z' }],
    ['what clocks answer', { startTime: { epoch: june }, endTime: { isoString: '2023-07-01T00:00:00Z' } }],
  ])('is restricted by a time range in %s, daily notes included', async (_, time_range) => {
    expect(await paths({ query: 'apples', time_range }, await dated())).toEqual(['2023-06-12.md'])
  })

  it.each([
    ['zero', { startTime: 0, endTime: 0 }],
    ['negative', { startTime: -5, endTime: july }],
    ['missing', { startTime: june }],
    ['no time', { startTime: 'soon', endTime: { when: 'later' } }],
    ['no date', { startTime: '2023-02-31', endTime: '2023-06-30' }],
  ])('is not restricted by a range with an end that is %s, and the text says so', async (_, time_range) => {
    const {
      output: { results },
      text,
    } = await answerOf(searchNotes, { query: 'apples', time_range }, await dated())
    expect(results).toHaveLength(3)
    expect(text).toContain('time_range was ignored')
  })

  it('refuses real ends that are the wrong way round, in a range and in a filter', async () => {
    const context = await dated()
    const inRange = { query: 'apples', time_range: { startTime: july, endTime: june } }
    const inFilter = { query: 'apples', filter: { date_after: '2023-07-01', date_before: '2023-06-01' } }
    for (const input of [inRange, inFilter]) {
      expect(await failureOf(searchNotes, input, context)).toMatchObject({
        code: 'invalid-input',
        text: 'End time must be after start time',
      })
    }
    const noDate = { query: 'apples', filter: { date_after: 'soon' } }
    expect((await failureOf(searchNotes, noDate, context)).text).toMatch(/^Not a valid date: soon/)
  })

  it('is what filter and range have in common', async () => {
    const context = await dated()
    const filter = { date_field: 'created', date_after: '2019-01-01', date_before: '2021-01-01' }
    const wide = { startTime: '2019-06-01', endTime: '2024-01-01' }
    expect(await paths({ query: 'apples', filter, time_range: wide }, context)).toEqual(['Old.md'])
    const later = { startTime: '2022-06-01', endTime: '2024-01-01' }
    const {
      output: { results },
      text,
    } = await answerOf(searchNotes, { query: 'apples', filter, time_range: later }, context)
    expect(results).toEqual([])
    expect(text).toContain('do not overlap')
  })
})

const filler = 'They spoke about the weather and the coffee for a long while. '.repeat(20)

describe('passages that do not all fit', () => {
  it('stay as they are while there is room', () => {
    const hits = [{ chunk: filler }, { chunk: 'short' }]
    expect(fitPassages(hits, 'warehouse')).toEqual({ hits })
    expect(fitPassages(hits, 'warehouse', 10_000)).toEqual({ hits })
  })

  it('keep the part that matches the query, wherever it is', () => {
    const fact = 'The warehouse in Lille is rented from 1 September.'
    for (const chunk of [`${fact} ${filler}`, `${filler}${fact} ${filler}`, `${filler}${fact}`]) {
      const { hits, remark } = fitPassages([{ chunk }], 'warehouse Lille rented', 150)
      expect(hits[0].chunk).toContain(fact)
      expect(estimateTokens(hits[0].chunk)).toBeLessThan(160)
      expect(remark).toContain('Shortened to fit')
    }
  })

  it('are fewer when each would say nothing', () => {
    const { hits, remark } = fitPassages(
      Array.from({ length: 10 }, () => ({ chunk: filler })),
      'coffee',
      450,
    )
    expect(hits).toHaveLength(4)
    expect(remark).toContain('the first 4 of 10')
  })
})
