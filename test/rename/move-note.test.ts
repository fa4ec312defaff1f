import { describe, expect, it } from 'vitest'
import type { Failure } from '../../src/core/errors.js'
import { notes } from './notes.js'

const failure = (code: Failure['code']) => expect.objectContaining({ code })

describe('renaming a note', () => {
  it('rewrites every form of link and keeps how each was written', async () => {
    const vault = notes({
      'Old.md': 'Me: [[Old]] and [[#Part]] and [here](Old.md#part).',
      'Home.md': [
        '---',
        'up: "[[Old]]"',
        "related: ['[[Old#Part|x]]', '[[Other]]']",
        '---',
        '[[Old]] [[old]] [[Old.md]] [[Old#Part]] [[Old#A#B]] [[Old#^id]] [[Old|shown]] [[Old#Part|Old]]',
        '![[Old]] ![[Old#Part|Old]] [Old](Old.md) [t](Old "Old") [t](<Old.md> "x") ![i](Old.md)',
        '',
        '| a | b |',
        '| --- | --- |',
        '| [[Old\\|alias]] | [[Old]] |',
        '',
        '> [[Old]]',
        '%% [[Old]] %%',
        '',
        '[ref]: Old.md "Old"',
        '',
        '`[[Old]]` Old [[Older]] [x](https://example.com/Old.md)',
        '```',
        '[[Old]]',
        '```',
      ].join('\r\n'),
      'Older.md': '',
    })
    const { impact, changeSet } = await vault.move('Old', 'New name')

    expect(await vault.read('New name.md')).toBe('Me: [[New name]] and [[#Part]] and [here](New%20name.md#part).')
    expect(await vault.read('Home.md')).toBe(
      [
        '---',
        'up: "[[New name]]"',
        "related: ['[[New name#Part|x]]', '[[Other]]']",
        '---',
        '[[New name]] [[New name]] [[New name.md]] [[New name#Part]] [[New name#A#B]] [[New name#^id]] [[New name|shown]] [[New name#Part|Old]]',
        '![[New name]] ![[New name#Part|Old]] [Old](New%20name.md) [t](New%20name "Old") [t](<New name.md> "x") ![i](New%20name.md)',
        '',
        '| a | b |',
        '| --- | --- |',
        '| [[New name\\|alias]] | [[New name]] |',
        '',
        '> [[New name]]',
        '%% [[New name]] %%',
        '',
        '[ref]: New%20name.md "Old"',
        '',
        '`[[Old]]` Old [[Older]] [x](https://example.com/Old.md)',
        '```',
        '[[Old]]',
        '```',
      ].join('\r\n'),
    )
    expect(impact).toEqual({
      files: 1,
      notes: 2,
      links: 23,
      byKind: { wikilink: 13, embed: 3, markdown: 4, reference: 1, frontmatter: 2 },
      captured: 0,
      canvases: [],
      notUtf8: [],
      outOfReach: [],
      unread: [],
    })
    expect(changeSet.title).toBe('Move Old.md to New name.md and update 23 links')
    expect(changeSet.changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'move Old.md',
      'edit Home.md',
      'edit New name.md',
    ])
  })

  it('covers five places that other programs miss', async () => {
    const vault = notes({
      'Hub.md': 'A hub names itself: [[Hub]].',
      'a.md': 'an unmatched ` backtick, then [[Hub]]',
      'b.md': 'an unmatched run of three ``` here, then [[Hub]] and `code`',
      'c.md': '``two and `one` [[Hub]]',
      'd.md': 'one ` two `` three ``` [[Hub|x]] `[[Hub]]`',
    })
    await vault.move('Hub.md', 'Centre.md')
    expect(await vault.read('Centre.md')).toBe('A hub names itself: [[Centre]].')
    expect(await vault.read('a.md')).toBe('an unmatched ` backtick, then [[Centre]]')
    expect(await vault.read('b.md')).toBe('an unmatched run of three ``` here, then [[Centre]] and `code`')
    expect(await vault.read('c.md')).toBe('``two and `one` [[Centre]]')
  })

  it('keeps the byte order mark and every line break', async () => {
    const vault = notes({ 'Old.md': '', 'a.md': '\uFEFF---\r\nup: "[[Old]]"\r\n---\r\nx\n[[Old]]\r\r\n' })
    await vault.move('Old', 'New')
    expect(await vault.read('a.md')).toBe('\uFEFF---\r\nup: "[[New]]"\r\n---\r\nx\n[[New]]\r\r\n')
  })

  it('follows a change of case alone', async () => {
    const vault = notes({ 'plan.md': 'I am [[plan]]', 'a.md': '[[plan]] [[Plan]] [[PLAN]]' })
    await vault.move('plan.md', 'Plan.md')
    expect(await vault.read('Plan.md')).toBe('I am [[Plan]]')
    expect(await vault.read('a.md')).toBe('[[Plan]] [[Plan]] [[PLAN]]')
    expect([...vault.vault.snapshot().keys()]).toContain('Plan.md')
  })

  it('encodes a destination as its author did', async () => {
    const vault = notes({
      'Größe.md': '',
      'a.md': '[x](Gr%C3%B6%C3%9Fe.md) [x](Größe.md) [x](<Größe.md>) [x](Größe.md#Teil%201)',
    })
    await vault.move('Größe', 'Höhe (neu) 100%')
    expect(await vault.read('a.md')).toBe(
      '[x](H%C3%B6he%20%28neu%29%20100%25.md) [x](Höhe%20%28neu%29%20100%25.md) [x](<Höhe (neu) 100%25.md>) [x](Höhe%20%28neu%29%20100%25.md#Teil%201)',
    )
  })

  it('quotes values that YAML requires to be quoted', async () => {
    const vault = notes({ 'Old.md': '', 'a.md': "---\na: '[[Old]]'\nb: \"[[Old]]\"\nc:\n  - '[[Old|x]]'\n---\n" })
    await vault.move('Old', "John's")
    expect(await vault.read('a.md')).toBe("---\na: '[[John''s]]'\nb: \"[[John's]]\"\nc:\n  - '[[John''s|x]]'\n---\n")
  })

  it('reports a link that YAML escapes hide, and rewrites the others', async () => {
    const vault = notes({
      'Old.md': '',
      'a.md': '---\nup: "[[\\u004fld]]"\nby: "say \\"[[Old]]\\" or [[Old]]"\n---\n[[Old]]',
    })
    const { impact } = await vault.move('Old', 'New')
    expect(await vault.read('a.md')).toBe('---\nup: "[[\\u004fld]]"\nby: "say \\"[[New]]\\" or [[New]]"\n---\n[[New]]')
    expect(impact).toMatchObject({ links: 3, outOfReach: [{ path: 'a.md', line: 2, raw: '[[Old]]' }] })
  })

  it('rewrites an image inside a link, and the link', async () => {
    const vault = notes({ 'a/pic.png': '', 'a/Old.md': '', 'n.md': '[![alt](a/pic.png)](a/Old.md)' })
    await vault.move('a', 'b')
    expect(await vault.read('n.md')).toBe('[![alt](b/pic.png)](b/Old.md)')
  })

  it('refuses a name that links to it cannot express, and allows it without links', async () => {
    const linked = notes({ 'Old.md': '', 'a.md': '[[Old]]' })
    await expect(linked.plan('Old', 'C# notes')).rejects.toEqual(failure('path'))
    await expect(linked.plan('Old', 'a [b]')).rejects.toEqual(failure('path'))
    await expect(linked.plan('Old', 'tick`s')).resolves.toBeDefined()
    const alone = notes({ 'Old.md': '', 'a.md': '' })
    await expect(alone.plan('Old', 'C# notes')).resolves.toMatchObject({ to: 'C# notes.md' })
  })

  it('refuses a name that would turn a link into something else', async () => {
    const vault = notes({ 'Old.md': '', 'a.md': 'a ` b [[Old]]' })
    await expect(vault.plan('Old', 'tick`s')).rejects.toEqual(failure('path'))
  })
})

describe('moving a note', () => {
  it('leaves a bare name that still leads there', async () => {
    const vault = notes({ 'Plan.md': '', 'a.md': '[[Plan]] [x](Plan.md)' })
    const { impact } = await vault.move('Plan.md', 'Projects/')
    expect(await vault.read('a.md')).toBe('[[Plan]] [x](Plan.md)')
    expect(impact.links).toBe(0)
  })

  it('keeps full paths full, short ones short, relative ones relative', async () => {
    const vault = notes({
      'a/b/Plan.md': '',
      'a/src.md': '[[a/b/Plan]] [[b/Plan]] [[Plan]] [[./b/Plan]] [[/a/b/Plan]] [x](b/Plan.md) [x](../a/b/Plan.md)',
    })
    await vault.move('a/b/Plan.md', 'c/d/Plan.md')
    expect(await vault.read('a/src.md')).toBe(
      '[[c/d/Plan]] [[d/Plan]] [[Plan]] [[../c/d/Plan]] [[/c/d/Plan]] [x](../c/d/Plan.md) [x](../c/d/Plan.md)',
    )
  })

  it('rewrites the relative links of the note that moves', async () => {
    const vault = notes({
      'a/Note.md': '[[./Sister]] [x](../Root.md) [[../a/Sister|s]] ![[./pic.png]] [[./Missing]]',
      'a/Sister.md': '',
      'a/pic.png': '',
      'Root.md': '',
    })
    await vault.move('a/Note.md', 'b/c/')
    expect(await vault.read('b/c/Note.md')).toBe(
      '[[../../a/Sister]] [x](../../Root.md) [[../../a/Sister|s]] ![[../../a/pic.png]] [[./Missing]]',
    )
  })

  it('keeps links of the moved note on namesakes in its old folder', async () => {
    const vault = notes({ 'a/Note.md': '[[Twin]]', 'a/Twin.md': '', 'b/Twin.md': '' })
    await vault.move('a/Note.md', 'b/')
    expect(await vault.read('b/Note.md')).toBe('[[a/Twin]]')
  })

  it('writes links longer that the new name would take over', async () => {
    const vault = notes({ 'long/New.md': '', 'Old.md': '', 'x/a.md': '[[New]] [[Old]] [t](New.md)' })
    const { impact } = await vault.move('Old.md', 'x/New.md')
    expect(await vault.read('x/a.md')).toBe('[[long/New]] [[New]] [t](long/New.md)')
    expect(impact.links).toBe(3)
  })

  it('counts unresolved links that the new name resolves', async () => {
    const vault = notes({ 'Old.md': '[[New]]', 'a.md': '[[New]] [[new|x]] [[Nowhere]]', 'b.md': '[[New]] [[Old]]' })
    const { impact } = await vault.move('Old.md', 'New.md')
    expect(impact).toMatchObject({ captured: 4, links: 1 })
    expect(await vault.read('a.md')).toBe('[[New]] [[new|x]] [[Nowhere]]')
  })

  it('keeps an unresolved relative link from reaching another note after the move', async () => {
    const vault = notes({ 'a/Note.md': '[[./x]]', 'b/x.md': '' })
    await vault.move('a/Note.md', 'b/')
    expect(await vault.read('b/Note.md')).toBe('[[../a/x]]')
  })

  it('reads only what moves and the notes it must rewrite', async () => {
    const files: Record<string, string> = { 'Hub.md': '', 'a.md': '[[Hub]]' }
    for (let i = 0; i < 50; i++) files[`other/${i}.md`] = '[[a]] [[x/Hub]]'
    const vault = notes(files)
    await vault.plan('Hub.md', 'Centre.md')
    expect(vault.reads).toEqual(['Hub.md', 'a.md'])
  })

  it('names the notes that it must leave alone because they are not UTF-8', async () => {
    const bytes = new Uint8Array([0xff, ...new TextEncoder().encode(' [[Old]]')])
    const vault = notes({ 'Old.md': '', 'broken.md': bytes, 'fine.md': '[[Old]]' })
    const { impact } = await vault.move('Old.md', 'New.md')
    expect(impact).toMatchObject({ notUtf8: ['broken.md'], notes: 1 })
    expect(vault.vault.snapshot().get('broken.md')).toEqual(bytes)
  })
})

describe('moving an attachment', () => {
  it('rewrites embeds and links, and keeps the extension', async () => {
    const vault = notes({ 'img/pic 1.png': '', 'a.md': '![[pic 1.png|100]] ![alt](img/pic%201.png) [[img/pic 1.png]]' })
    await vault.move('img/pic 1.png', 'media/photo')
    expect(await vault.read('a.md')).toBe('![[photo.png|100]] ![alt](media/photo.png) [[media/photo.png]]')
  })

  it('does not turn it into a note', async () => {
    const vault = notes({ 'pic.png': '' })
    await expect(vault.plan('pic.png', 'pic.md')).rejects.toEqual(failure('invalid-input'))
  })
})

describe('moving a folder', () => {
  it('moves every file and keeps links among them, into them and out of them', async () => {
    const vault = notes({
      'p/One.md': '[[p/Two]] [[./Two]] [[Two]] [[../Out]] [[sub/Three]] ![[p/img/x.png]]',
      'p/Two.md': '[[One]]',
      'p/sub/Three.md': '[x](../One.md)',
      'p/img/x.png': '',
      'Out.md': '[[p/One]] [[Two]] [x](p/sub/Three.md)',
      'pq/Other.md': '[[p/One]]',
    })
    const { impact, changeSet } = await vault.move('p', 'q/r')
    expect(await vault.read('q/r/One.md')).toBe(
      '[[q/r/Two]] [[./Two]] [[Two]] [[../../Out]] [[sub/Three]] ![[q/r/img/x.png]]',
    )
    expect(await vault.read('q/r/sub/Three.md')).toBe('[x](../One.md)')
    expect(await vault.read('Out.md')).toBe('[[q/r/One]] [[Two]] [x](q/r/sub/Three.md)')
    expect(await vault.read('pq/Other.md')).toBe('[[q/r/One]]')
    expect(impact).toMatchObject({ files: 4, notes: 3, links: 6 })
    expect(changeSet.emptied).toEqual(['p', 'p/img', 'p/sub'])
  })

  it('moves into an existing folder', async () => {
    const vault = notes({ 'p/One.md': '', 'Archive/x.md': '' })
    expect((await vault.plan('p', 'archive')).to).toBe('Archive/p')
    expect((await vault.plan('p/', 'New/')).to).toBe('New/p')
  })

  it('refuses moves that would lose or mix files', async () => {
    const vault = notes({ 'p/One.md': '', 'q/p/x.md': '', 'File.md': '' })
    await expect(vault.plan('p', 'q')).rejects.toEqual(failure('conflict'))
    await expect(vault.plan('p', 'p/inner')).rejects.toEqual(failure('invalid-input'))
    await expect(vault.plan('p', 'File.md/p')).rejects.toEqual(failure('conflict'))
  })
})

describe('the arguments from and to', () => {
  const vault = () => notes({ 'Plan.md': '', 'Plan/Part.md': '', 'Note.md': '', 'Projects/x.md': '' })

  it('accepts a folder as the target', async () => {
    expect((await vault().plan('Note.md', 'Projects')).to).toBe('Projects/Note.md')
    expect((await vault().plan('Note.md', 'projects/')).to).toBe('Projects/Note.md')
    expect((await vault().plan('Note.md', 'New/')).to).toBe('New/Note.md')
    expect((await vault().plan('Projects/x.md', '/')).to).toBe('x.md')
    expect((await vault().plan('Projects/x', './')).to).toBe('x.md')
  })

  it('adds .md, and uses the spelling of existing folders', async () => {
    expect((await vault().plan('note', 'v1.2')).to).toBe('v1.2.md')
    expect((await vault().plan('Note.md', 'projects/deep/Note')).to).toBe('Projects/deep/Note.md')
  })

  it('asks if a note and a folder have the name', async () => {
    await expect(vault().plan('Plan', 'x')).rejects.toEqual(failure('ambiguous'))
    expect((await vault().plan('Plan/', 'x')).from).toBe('Plan')
    expect((await vault().plan('Plan.md', 'x')).from).toBe('Plan.md')
  })

  it('refuses an existing target, a missing source, and paths out of the vault', async () => {
    await expect(vault().plan('Note.md', 'plan.md')).rejects.toEqual(failure('conflict'))
    await expect(vault().plan('Missing', 'x')).rejects.toEqual(failure('not-found'))
    await expect(vault().plan('Note.md', 'Note.md')).rejects.toEqual(failure('invalid-input'))
    await expect(vault().plan('Note.md', '../x')).rejects.toEqual(failure('path'))
    await expect(vault().plan('../Note.md', 'x')).rejects.toEqual(failure('path'))
    await expect(vault().plan('Note.md', 'a:b')).rejects.toEqual(failure('path'))
    await expect(vault().plan('Note.md', '.hidden/')).rejects.toEqual(failure('path'))
  })
})
