import { describe, expect, it } from 'vitest'
import { answerOf, testContext } from '../../../../test/tools/call-tool.js'
import { notePath } from '../../vault/index.js'
import { checkVault } from './check-vault.js'

type Notes = Record<string, string>

const check = async (notes: Notes, input: Record<string, unknown> = {}) =>
  (await answerOf(checkVault, input, await testContext({ '.obsidian/app.json': '{}', ...notes }))).output

/** Id, link and proposed fix of each finding of a kind. */
async function found(notes: Notes, kind: string) {
  const { findings } = await check(notes, { only: [kind] })
  return (findings as { id: string; link?: string; fixes: { title: string }[]; near?: string[] }[]).map(
    ({ id, link, fixes, near }) => [id, link, ...(fixes[0] ? [fixes[0].title] : []), ...(near ? [near] : [])],
  )
}

describe('check_vault', () => {
  it('proposes the nearest note for a link, and says when several are equally near', async () => {
    const notes = {
      'Home.md':
        '[[Tomatos]] and [[Old/Compost]]\n[x](Garden/Tomatoez.md) [[Rain barel|b]]\n[[Berg]] [[Nothing like it]]\n[[Pumpkin Pie]]\n[[2024-01-06]] {{a}} [[{{date}}]]\n',
      'Garden/Tomatoes.md': '',
      'Garden/Compost.md': '',
      'Rain barrel.md': '',
      'Bera.md': '',
      'Berb.md': '',
      'Desserts.md': '---\naliases: [Pumpkin pie]\n---\n',
      '2024-01-05.md': '',
    }
    expect(await found(notes, 'links')).toEqual([
      ['links:Home.md:1', '[[Tomatos]]', 'Link to Garden/Tomatoes.md'],
      ['links:Home.md:1.2', '[[Old/Compost]]', 'Link to Garden/Compost.md'],
      ['links:Home.md:2', '[x](Garden/Tomatoez.md)', 'Link to Garden/Tomatoes.md'],
      ['links:Home.md:2.2', '[[Rain barel|b]]', 'Link to Rain barrel.md'],
      ['links:Home.md:3', '[[Berg]]', ['Bera.md', 'Berb.md']],
      ['links:Home.md:3.2', '[[Nothing like it]]', 'Replace the link with its text'],
      ['links:Home.md:4', '[[Pumpkin Pie]]', 'Link to Desserts.md'],
      ['links:Home.md:5', '[[2024-01-06]]', 'Replace the link with its text'],
    ])
  })

  it('knows from the journal where a note was moved', async () => {
    const context = await testContext({ '.obsidian/app.json': '{}', 'Home.md': 'x\n', 'Peas.md': 'p\n' })
    await context.apply((await context.index.planMove('Peas.md', 'Garden/Sugar snaps.md')).changeSet)
    await context.apply((await context.index.planMove('Garden/Sugar snaps.md', 'Archive/Snaps.md')).changeSet)
    const file = await context.memory.read(notePath('Home.md'))
    await context.apply({
      id: 'x',
      title: 'Edit',
      changes: [
        { kind: 'edit', path: notePath('Home.md'), before: file!.hash, after: new TextEncoder().encode('[[Peas]]\n') },
      ],
    })
    const { output } = await answerOf(checkVault, { only: ['links'] }, context)
    expect(output.findings[0].fixes[0]).toEqual({
      kind: 'redirect',
      title: 'Link to Archive/Snaps.md, where it was moved',
    })
  })

  it('finds missing headings and blocks, as Obsidian looks them up', async () => {
    const notes = {
      'Plan.md': '# Goals: 2026\n\n## First steps\n\nText ^abc123\n',
      'Home.md':
        '[[Plan#Goals 2026]] [[Plan#goals: 2026#First Steps]] [[Plan#^ABC123]] ok\n[[Plan#Frist steps]] [[Plan#Weather]]\n[[Plan#^abc124]] [[#Nowhere]]\n[a](Plan.md#First%20step)\n',
    }
    expect(await found(notes, 'headings')).toEqual([
      ['headings:Home.md:2', '[[Plan#Frist steps]]', 'Link to #First steps'],
      ['headings:Home.md:2.2', '[[Plan#Weather]]', 'Link to the note without the heading'],
      ['headings:Home.md:3', '[[Plan#^abc124]]', 'Link to the note without the heading'],
      ['headings:Home.md:3.2', '[[#Nowhere]]', 'Replace the link with its text'],
      ['headings:Home.md:4', '[a](Plan.md#First%20step)', 'Link to #First steps'],
    ])
  })

  it('finds missing attachments, and files with a similar name', async () => {
    const notes = {
      'Home.md': '![[rose.png]] ![alt](files/Tulpi.png) ![[song.mp3]]\n',
      'img/rose.png': '',
      'files/Tulip.png': '',
    }
    expect(await found(notes, 'attachments')).toEqual([
      ['attachments:Home.md:1', '![alt](files/Tulpi.png)', 'Link to files/Tulip.png'],
      ['attachments:Home.md:1.2', '![[song.mp3]]', 'Replace the link with its text'],
    ])
  })

  it('lists notes without links, and notes that nothing links to, separately', async () => {
    const notes = { 'A.md': '[[B]]', 'B.md': 'b', 'C.md': '[[#c]] c\n# c', 'D.md': '[x](https://example.org)' }
    expect(await found(notes, 'orphans')).toEqual([
      ['orphans:C.md', undefined],
      ['orphans:D.md', undefined],
    ])
    expect(await found(notes, 'unlinked')).toEqual([['unlinked:A.md', undefined]])
  })

  it('finds links by a name that several notes have, unless one is beside the note', async () => {
    const notes = {
      'Home.md': '[[Plan]] [[A/Plan]] [[./A/Plan]]',
      'A/Plan.md': '',
      'B/Plan.md': '',
      'B/Note.md': '[[Plan]]',
      'C.md': '[[Home]]',
    }
    expect(await found(notes, 'names')).toEqual([['names:Home.md:1', '[[Plan]]', 'Write the path A/Plan.md']])
  })

  it('finds properties that YAML cannot read, with their line', async () => {
    const notes = {
      'Tea.md': '---\nyear: 1820\ntitle: Tea: a history\n---\nx',
      'Bad.md': '---\nlist: [a, b\nx: 1\n---\nx',
      'Good.md': '---\na: 1\n---\nx',
    }
    const { findings } = await check(notes, { only: ['properties'] })
    expect(
      (findings as { path: string; line?: number; fixes: unknown[] }[]).map(({ path, line, fixes }) => [
        path,
        line,
        fixes.length,
      ]),
    ).toEqual([
      ['Bad.md', 3, 0],
      ['Tea.md', 3, 1],
    ])
  })

  it('finds copies of sync programs, and copies by usual names only with nearly the same text', async () => {
    const text = 'one\ntwo\nthree\nfour\nfive\n'
    const notes = {
      'Plan.md': text,
      'Plan.sync-conflict-20240102-030405-ABCDEFG.md': text,
      "Plan (Ana's conflicted copy 2024-01-02).md": 'other',
      'Plan (Conflicted copy phone 202401021200).md': text,
      'Plan 2.md': text.replace('five', 'six'),
      'Plan 3.md': 'something else of the same length',
      'Chapter.md': 'x',
      'Chapter 1.md': 'y',
      'Lost.sync-conflict-20240102-030405-ABCDEFG.md': 'x',
      'Home.md': '[[Plan (Conflicted copy phone 202401021200)]]',
    }
    expect(await found(notes, 'conflicts')).toEqual([
      ['conflicts:Lost.sync-conflict-20240102-030405-ABCDEFG.md', undefined],
      ["conflicts:Plan (Ana's conflicted copy 2024-01-02).md", undefined],
      ['conflicts:Plan (Conflicted copy phone 202401021200).md', undefined],
      ['conflicts:Plan 2.md', undefined],
      ['conflicts:Plan.sync-conflict-20240102-030405-ABCDEFG.md', undefined, 'Move to trash'],
    ])
  })

  it('finds empty notes, and does not propose the trash for one that others link to', async () => {
    const notes = {
      'A.md': '',
      'B.md': '\ufeff \r\n',
      'C.md': '---\na: 1\n---\n',
      'D.md': '---\n---\n',
      'E.md': '[[A]]',
    }
    expect(await found(notes, 'empty')).toEqual([
      ['empty:A.md', undefined],
      ['empty:B.md', undefined, 'Move to trash'],
      ['empty:D.md', undefined, 'Move to trash'],
    ])
  })

  it('counts all problems, and pages them without gaps', async () => {
    const notes = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`Note ${at}.md`, `[[Missing ${at}]] [[Gone${at}]]\n`]),
    )
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const { totals, findings, cursor: next } = await check(notes, { limit: 7, ...(cursor && { cursor }) })
      expect(totals).toEqual({
        properties: 0,
        conflicts: 0,
        links: 60,
        headings: 0,
        attachments: 0,
        names: 0,
        empty: 0,
        orphans: 0,
        unlinked: 30,
      })
      ids.push(...findings.map(({ id }: { id: string }) => id))
      cursor = next
    } while (cursor !== undefined)
    expect(new Set(ids).size).toBe(90)
    expect(ids).toHaveLength(90)
  })

  it('shows the first findings of each kind for an overview', async () => {
    const notes = { 'A.md': '[[x]] [[y]] [[z]]', 'B.md': '', 'C.md': '', 'D.md': '' }
    const { totals, findings, cursor } = await check(notes, { each: 2, only: ['links', 'empty'] })
    expect([totals, cursor]).toEqual([{ links: 3, empty: 3 }, undefined])
    expect(findings.map(({ id }: { id: string }) => id)).toEqual([
      'links:A.md:1',
      'links:A.md:1.2',
      'empty:B.md',
      'empty:C.md',
    ])
  })

  it('checks one folder, and answers in few lines', async () => {
    const context = await testContext({ 'A/x.md': '[[Gone]]', 'B/y.md': '[[Gone]]' })
    const { text } = await answerOf(checkVault, { folder: 'A', only: ['links', 'empty'] }, context)
    expect(text).toBe(
      '1 problem: links 1, empty 0.\nlinks:A/x.md:1 | [[Gone]] | There is no note Gone. | unlink: Replace the link with its text',
    )
  })
})
