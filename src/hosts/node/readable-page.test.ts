import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readablePage } from './readable-page.js'

const url = 'https://example.org/blog/post.html'
const read = (html: string) => readablePage(html, url)
const text = (html: string) => read(html).text

const sentence = 'A sentence about moss and stones, with a comma or two, that goes on for a while. '
const article = `<!DOCTYPE html><html><head><title>On Moss - The Garden</title><script>var hidden = 'script text'</script></head>
<body><nav><a href="/">Home</a> <a href="/about">About</a></nav>
<article><h1>On Moss</h1><p>${sentence.repeat(4)}See <a href="../stones?a=1#b">the stones</a>.</p>
<h2>Kinds</h2><ul><li>Sphagnum</li><li>Bryum<ol><li>first</li><li>second</li></ol></li></ul>
<blockquote><p>${sentence}</p><p>Second.</p></blockquote>
<pre><code>let moss = "green"\n  grow(moss)</code></pre><p>${sentence.repeat(3)}</p></article>
<footer>Cookies and imprint</footer></body></html>`

describe('a page that is read', () => {
  it('is its article with headings, lists, quotes, code and links as light Markdown', () => {
    const page = read(article)
    expect(page.title).toBe('On Moss - The Garden')
    expect(page.text).toContain('See [the stones](https://example.org/stones?a=1#b).')
    expect(page.text).toContain('## Kinds\n\n- Sphagnum\n- Bryum\n  1. first\n  2. second')
    expect(page.text).toContain(`> ${sentence.trim()}\n>\n> Second.`)
    expect(page.text).toContain('```\nlet moss = "green"\n  grow(moss)\n```')
    for (const absent of ['script text', 'Cookies', 'About']) expect(page.text).not.toContain(absent)
  })

  it('is all its text where there is no article', () => {
    expect(text('<title>T</title><h1>Short</h1><p>One &amp; two<br>three</p>')).toBe('# Short\n\nOne & two\nthree')
    expect(text('just words')).toBe('just words')
    expect(text('')).toBe('')
    expect(read('<title> A\n B </title>').title).toBe('A B')
  })

  it('keeps tables of data as tables, and reads those of layout through', () => {
    const data = '<table><tr><th>Name<th>Age<tr><td>Ada<td>36 | 37</table>'
    expect(text(data)).toBe('| Name | Age |\n| --- | --- |\n| Ada | 36 \\| 37 |')
    expect(text(`<table><tr><td>left<td>${data}</table>`)).toContain('left\n\n| Name | Age |')
  })

  it('closes what old pages leave open', () => {
    expect(text('<p>one<p>two<ul><li>a<li>b</ul>three')).toBe('one\n\ntwo\n\n- a\n- b\n\nthree')
    expect(text('<div>a</span></b></div>b')).toBe('a\n\nb')
  })

  it('links only to the web, and shows no pictures', () => {
    expect(
      text('<a href="javascript:alert(1)">a</a> <a href="data:x">b</a> <a href="#c">c</a> <a href="//o.org/(x)">d</a>'),
    ).toBe('a b c [d](https://o.org/%28x%29)')
    expect(text('<a href="/x">a]b</a><img src="https://evil.test/leak.png" alt="leak">')).toBe(
      '[a\\]b](https://example.org/x)',
    )
    expect(text('<base href="https://base.test/dir/"><a href="x">y</a>')).toBe('[y](https://base.test/dir/x)')
  })

  const hidden = [
    '<p hidden>SECRET</p>',
    '<div aria-hidden="true">SECRET</div>',
    '<div style="display : none">SECRET</div>',
    '<span style="color:red;VISIBILITY:hidden">SECRET</span>',
    '<span style="font-size:0">SECRET</span><span style="opacity:0.0">SECRET</span>',
    '<script>SECRET</script><style>SECRET</style><noscript>SECRET</noscript><template>SECRET</template>',
    '<svg><text>SECRET</text></svg><!-- SECRET --><!-- SECRET <p>',
    '<SCRIPT type="x">"</p>" SECRET</SCRIPT >',
    '<textarea>SECRET</textarea><iframe srcdoc="SECRET">SECRET</iframe><img alt="SECRET">',
    '<script>SECRET',
  ]
  for (const markup of hidden) {
    it(`does not show ${markup}`, () => {
      const page = read(`<title>T</title><p>Shown.</p>${markup}`)
      expect(page.text).toBe('Shown.')
    })
  }

  it('has no invisible characters', () => {
    const tags = [...'ignore'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
    expect(text(`<p>a${tags}b\u202ec\u2066d&#xE0041;e&#0;</p>`)).toMatch(/^abcde\ufffd?$/)
  })
})

describe('a hostile page', () => {
  const hostile: [what: string, html: string][] = [
    ['20,000 elements deep', `${'<div>'.repeat(20_000)}end${'</div>'.repeat(20_000)}`],
    ['20,000 quotes deep', `${'<blockquote>'.repeat(20_000)}end`],
    ['20,000 links deep', `${'<a href=x>'.repeat(20_000)}end`],
    ['20,000 tables deep', `${'<table><tr><td>'.repeat(20_000)}end`],
    ['5 MB of open tags and others closed', `end${'<i>'.repeat(700_000)}${'</b>'.repeat(600_000)}`],
    ['5 MB of brackets', `end${'<'.repeat(5_000_000)}`],
    ['5 MB of references', `end${'&amp;'.repeat(1_000_000)}`],
    ['5 MB of quotation marks', `end${'<a x="'.repeat(800_000)}`],
    ['5 MB of blanks', `<p>end${' '.repeat(4_900_000)}x`],
    ['5 MB of blanks in code', `<pre>end${' '.repeat(4_900_000)}x</pre>`],
    ['5 MB of blanks in a tag', `end<p${' /'.repeat(2_400_000)}`],
    ['5 MB of attributes', `end<p ${Array.from({ length: 400_000 }, (_, index) => `a${index}=1`).join(' ')}>`],
    ['5 MB of drawings never closed', `end${'<svg><math>'.repeat(450_000)}`],
    ['50,000 links in a row', `end${'<a href="/x">y</a> '.repeat(50_000)}`],
  ]
  for (const [what, html] of hostile) {
    it(`of ${what} is read to its end`, () => {
      expect(text(html)).toContain('end')
    })
  }

  it('with more elements than are read says that it continues', () => {
    expect(text('<p>x</p>'.repeat(60_000))).toMatch(/\(The page is longer\. Only its beginning could be read\.\)$/)
  })

  it('of any markup is read without an error', () => {
    const piece = fc.constantFrom(
      ...[
        '<p>',
        '</p>',
        '<div>',
        '</div>',
        '<table>',
        '<tr>',
        '<td>',
        '<li>',
        '<ul>',
        '</ul>',
        '<a href="',
        '">',
        '<!--',
        '-->',
      ],
      ...[
        '<',
        '>',
        '&lt;',
        '&',
        '"',
        "'",
        '=',
        ' ',
        'text',
        '<h1>',
        '<script>',
        '</script>',
        '<pre>',
        '<br/>',
        '<title>',
        '\u0000',
      ],
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), (pieces) => {
        const page = read(pieces.join(''))
        expect(typeof page.text).toBe('string')
        expect(page.text).not.toMatch(/[\u0000\u{e0000}-\u{e007f}]/u)
      }),
      { numRuns: 300 },
    )
  })
})
