import { describe, expect, it } from 'vitest'
import { type Notes, notes } from './notes.js'

const plain = (files: Record<string, string>): Notes => notes(files, { reading: 'markdown' })

describe('moving in a folder of plain Markdown', () => {
  it('leads a link to where its note has gone', async () => {
    const folder = plain({ 'Readme.md': '[setup](Setup.md) [[Setup]]', 'Setup.md': '[back](Readme.md)' })
    const { impact } = await folder.move('Setup.md', 'docs/')
    expect(impact.links).toBe(2)
    expect(await folder.read('Readme.md')).toBe('[setup](docs/Setup.md) [[Setup]]')
    expect(await folder.read('docs/Setup.md')).toBe('[back](../Readme.md)')
  })

  it('resolves a name to the note in the same folder first, and otherwise to one elsewhere', async () => {
    const folder = plain({
      'Setup.md': '',
      'docs/Setup.md': '',
      'docs/Guide.md': '[s](Setup.md) [t](/Setup.md)',
      'notes/Other.md': '[s](Setup.md)',
    })
    const links = await folder.links()
    const leads = (path: string) => links.get(path as never)?.map(({ leadsTo }) => leadsTo)
    expect(leads('docs/Guide.md')).toEqual(['docs/Setup.md', 'Setup.md'])
    expect(leads('notes/Other.md')).toEqual(['Setup.md'])
    await folder.move('docs/Setup.md', 'docs/deep/Install.md')
    expect(await folder.read('docs/Guide.md')).toBe('[s](deep/Install.md) [t](/Setup.md)')
    await folder.move('Setup.md', 'Begin.md')
    expect(await folder.read('docs/Guide.md')).toBe('[s](deep/Install.md) [t](/Begin.md)')
    expect(await folder.read('notes/Other.md')).toBe('[s](../Begin.md)')
  })

  it('keeps the form of every link of a moved note: dots, encoding, title, anchor and query', async () => {
    const folder = plain({
      'docs/Guide.md': [
        '[a](./My%20Note.md#part "x") [b](<My Note.md>) ![c](img/p%20(1).png?raw=true) [d](../Top.md) [e](/Top.md)',
        '[f](#here) [g](https://example.com/My%20Note.md) [h](../.github/ci.yml) [i](img/) [j](..) [k](LICENSE)',
        '[l](Missing.md) `[m](Top.md)` [n](../docs/My%20Note.md)',
        '',
        '[ref]: My%20Note.md "title"',
        '[out]: <../Top.md#a>',
      ].join('\n'),
      'docs/My Note.md': '',
      'docs/LICENSE': '',
      'docs/img/p (1).png': '',
      'Top.md': '',
    })
    await folder.move('docs/Guide.md', 'manual/en/Guide.md')
    expect(await folder.read('manual/en/Guide.md')).toBe(
      [
        '[a](../../docs/My%20Note.md#part "x") [b](<../../docs/My Note.md>) ![c](../../docs/img/p%20(1).png?raw=true) [d](../../Top.md) [e](/Top.md)',
        '[f](#here) [g](https://example.com/My%20Note.md) [h](../../.github/ci.yml) [i](../../docs/img/) [j](../../) [k](../../docs/LICENSE)',
        '[l](../../docs/Missing.md) `[m](Top.md)` [n](../../docs/My%20Note.md)',
        '',
        '[ref]: ../../docs/My%20Note.md "title"',
        '[out]: <../../Top.md#a>',
      ].join('\n'),
    )
  })

  it('moves a folder with links within, into and out of it, and links to the folder itself', async () => {
    const folder = plain({
      'Readme.md': '[docs](docs/) [docs](./docs) [one](docs/one.md#x) ![i](docs/img/i.png) [sub](docs/sub/)',
      'docs/one.md': '[two](sub/two.md) [top](../Readme.md) [self](one.md) [dots](.assets/x.png)',
      'docs/sub/two.md': '[one](../one.md) [up](..) [img](../img/i.png)',
      'docs/img/i.png': '',
    })
    await folder.move('docs', 'a/manual')
    expect(await folder.read('Readme.md')).toBe(
      '[docs](a/manual/) [docs](./a/manual) [one](a/manual/one.md#x) ![i](a/manual/img/i.png) [sub](a/manual/sub/)',
    )
    // Files whose name starts with a dot are not moved with the folder.
    expect(await folder.read('a/manual/one.md')).toBe(
      '[two](sub/two.md) [top](../../Readme.md) [self](one.md) [dots](../../docs/.assets/x.png)',
    )
    expect(await folder.read('a/manual/sub/two.md')).toBe('[one](../one.md) [up](..) [img](../img/i.png)')
  })

  it('can express any name in a Markdown link', async () => {
    const folder = plain({ 'a.md': '[x](b.md) [y](<b.md>)', 'b.md': '' })
    await folder.move('b.md', 'C# & (100%) [x].md')
    expect(await folder.read('a.md')).toBe(
      '[x](C%23%20&%20%28100%25%29%20%5Bx%5D.md) [y](<C%23 & (100%25) %5Bx%5D.md>)',
    )
  })
})

describe('in a vault of Obsidian', () => {
  const files = {
    'Home.md': '[[Plan]] [[old/Plan|p]] [x](old/Plan.md) ![[old/Plan#Part]] [y](old/Plan)',
    'deep/er/Other.md': '[[old/Plan]] [[../../old/Plan]]',
    'old/Plan.md': '[[Beside]] [b](Beside.md) [[../Home]]',
    'old/Beside.md': '',
  }

  it.each([
    ['shortest', '[[Road]] [[Road|p]] [x](Road.md) ![[Road#Part]] [y](Road)', '[[Road]] [[Road]]'],
    [
      'absolute',
      '[[new/Road]] [[new/Road|p]] [x](new/Road.md) ![[new/Road#Part]] [y](new/Road)',
      '[[new/Road]] [[new/Road]]',
    ],
    [
      'relative',
      '[[new/Road]] [[new/Road|p]] [x](new/Road.md) ![[new/Road#Part]] [y](new/Road)',
      '[[../../new/Road]] [[../../new/Road]]',
    ],
  ] as const)('newLinkFormat %s spells a link that is written anew', async (newLinkFormat, home, other) => {
    const vault = notes(files, { reading: 'obsidian', newLinkFormat })
    await vault.move('old/Plan.md', 'new/Road.md')
    expect(await vault.read('Home.md')).toBe(home)
    expect(await vault.read('deep/er/Other.md')).toBe(other)
    expect(await vault.read('new/Road.md')).toBe(
      {
        shortest: '[[Beside]] [b](Beside.md) [[../Home]]',
        absolute: '[[Beside]] [b](Beside.md) [[../Home]]',
        relative: '[[../old/Beside]] [b](../old/Beside.md) [[../Home]]',
      }[newLinkFormat],
    )
  })

  it('writes the full path if the shortest would find another note, and ./ if a bare name would', async () => {
    const shortest = notes(
      { 'a.md': '[[Old]]', 'Old.md': '', 'x/New.md': '' },
      { reading: 'obsidian', newLinkFormat: 'shortest' },
    )
    await shortest.move('Old.md', 'longer/New.md')
    expect(await shortest.read('a.md')).toBe('[[longer/New]]')
    const relative = notes(
      { 'd/a.md': '[[Old]]', 'Old.md': '', 'New.md': '' },
      { reading: 'obsidian', newLinkFormat: 'relative' },
    )
    await relative.move('Old.md', 'd/New.md')
    expect(await relative.read('d/a.md')).toBe('[[./New]]')
  })

  it('useMarkdownLinks gives a rewritten Markdown link its .md, and leaves a wikilink one', async () => {
    const vault = notes({ 'a.md': '[x](Old) [[Old]]', 'Old.md': '' }, { reading: 'obsidian', useMarkdownLinks: true })
    await vault.move('Old.md', 'New.md')
    expect(await vault.read('a.md')).toBe('[x](New.md) [[New]]')
  })
})
