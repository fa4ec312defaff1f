import { describe, expect, it } from 'vitest'
import { answerOf, failureOf, testContext } from '../../../../test/tools/call-tool.js'
import { searchText } from './search-text.js'

const notes = {
  'Garden/Compost.md': '# Compost\n\nTurn the compost.\nCompost, compost!\n',
  'Garden/Tomatoes.md': 'Feed with compost.\r\nTODO(2024-05-01) stake\n',
  'Log.md': 'TODO(2024-05-02) call\nNothing\n',
  'Secret.md': '---\nprivate: true\n---\ncompost\n',
}

describe('search_text', () => {
  it('counts every match and shows each line with its number, by note', async () => {
    const { output, text } = await answerOf(searchText, { pattern: 'COMPOST' }, await testContext(notes))
    expect(output).toMatchObject({ total: 5, lines: 4, notes: 2 })
    expect(text.split('\n')).toEqual([
      '5 matches in 2 notes.',
      'Garden/Compost.md',
      ' 1: # Compost',
      ' 3: Turn the compost.',
      ' 4: Compost, compost!',
      'Garden/Tomatoes.md',
      ' 1: Feed with compost.',
    ])
  })

  it('matches a regular expression within a line, with lines around it', async () => {
    const input = { pattern: '^TODO\\(\\d{4}-05-0[12]\\)', regex: true, case: true, context: 1 }
    const { output, text } = await answerOf(searchText, input, await testContext(notes))
    expect(output.total).toBe(2)
    expect(text.split('\n').slice(1)).toEqual([
      'Garden/Tomatoes.md',
      ' 1- Feed with compost.',
      ' 2: TODO(2024-05-01) stake',
      ' 3- ',
      'Log.md',
      ' 1: TODO(2024-05-02) call',
      ' 2- Nothing',
    ])
    expect((await answerOf(searchText, { pattern: 'todo', case: true }, await testContext(notes))).text).toBe(
      'No match.',
    )
  })

  it('can be limited to a folder', async () => {
    const context = await testContext(notes)
    expect((await answerOf(searchText, { pattern: 'TODO', folder: 'Garden' }, context)).output.total).toBe(1)
    expect(await failureOf(searchText, { pattern: 'x', folder: 'Gone' }, context)).toMatchObject({ code: 'not-found' })
  })

  it('pages without gaps, also when a shown note grows meanwhile', async () => {
    const lines = Array.from({ length: 150 }, (_, at) => `word ${at}`).join('\n')
    const context = await testContext({ 'A.md': lines, 'B.md': lines })
    const first = await answerOf(searchText, { pattern: 'word' }, context)
    expect(first.output).toMatchObject({ total: 300, lines: 300, cursor: 'A.md:100' })
    const seen = first.output.matches.map(({ path, line }: { path: string; line: number }) => `${path}:${line}`)
    let cursor = first.output.cursor
    while (cursor !== undefined) {
      const next = await answerOf(searchText, { pattern: 'word', cursor }, context)
      expect(next.output.total).toBe(300)
      seen.push(...next.output.matches.map(({ path, line }: { path: string; line: number }) => `${path}:${line}`))
      cursor = next.output.cursor
    }
    expect(seen).toHaveLength(300)
    expect(new Set(seen).size).toBe(300)
  })

  it('refuses what is no expression, and says which notes an expression takes too long in', async () => {
    const context = await testContext({ 'A.md': `${'a'.repeat(900)}!`, 'B.md': 'aa b' })
    for (const pattern of ['(', '(a)\\1', 'two\nlines']) {
      expect(await failureOf(searchText, { pattern, regex: true }, context)).toMatchObject({ code: 'invalid-input' })
    }
    const costly = `(?:${'a?'.repeat(150)})*b`
    const { output } = await answerOf(searchText, { pattern: costly, regex: true }, context)
    expect(output.remarks?.join(' ') ?? '').toMatch(/too long in 1 note: A\.md/)
  })
})
