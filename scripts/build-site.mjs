// `npm run docs:site [folder]`: all pages of the docs as a static site in dist/site, with navigation and search. It can be
// read from the disk or served from any folder.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { Marked } from 'marked'
import { brokenLinks, linkTarget, plainText, readPage, sections, sitePath } from './docs-site/pages.mjs'

const folder = process.argv[2] ?? 'dist/site'
const navigation = sections().map(({ title, pages }) => ({ title, pages: pages.map(readPage) }))
const pages = navigation.flatMap((section) => section.pages)

const broken = brokenLinks(pages)
if (broken.length > 0) {
  console.error(`Broken links:\n${broken.join('\n')}`)
  process.exit(1)
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
cpSync('docs/images', join(folder, 'docs/images'), { recursive: true })
for (const name of ['site.css', 'site.js']) copyFileSync(`scripts/docs-site/${name}`, join(folder, name))
const sources = new Set()
for (const [at, page] of pages.entries()) {
  write(sitePath(page.file), htmlOf(page.file, page.title, pageBody(page, pages[at - 1], pages[at + 1]), page.headings))
}
for (const file of sources) {
  const text = `<h1>${escaped(file)}</h1><pre tabindex="0"><code>${escaped(readFileSync(file, 'utf8'))}</code></pre>`
  write(sitePath(file), htmlOf(file, file, `<article>${text}</article>`, []))
}
// A script instead of JSON, because a page that is opened from the disk may not fetch a file.
write('search-index.js', `window.searchIndex = ${JSON.stringify(pages.flatMap(searchEntries))}\n`)
console.log(`Wrote ${pages.length + sources.size} pages to ${folder}`)

function write(path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function pageBody(page, before, after) {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, id }) {
        const link = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${link}</h${depth}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escaped(siteHref(page.file, href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }) {
        return `<img src="${escaped(href)}" alt="${escaped(text)}" loading="lazy">`
      },
      table(token) {
        const cells = (row, tag) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        const head = token.header.some((cell) => cell.text !== '')
          ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
          : ''
        return `<div class="table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`
      },
      code({ text, lang }) {
        const kind = lang === 'output' ? 'output' : lang === 'sh' ? 'commands' : ''
        return `<pre class="${kind}" tabindex="0"><code>${escaped(text)}</code></pre>\n`
      },
      // The comments that say how a block is tested.
      html: () => '',
    },
  })
  const step = (to, label) =>
    to
      ? `<a href="${siteHref(page.file, `/${to.file}`)}"><small>${label}</small>${escaped(to.title)}</a>`
      : '<span></span>'
  return `<article>\n${marked.parser(page.tokens)}</article>\n<nav class="steps" aria-label="Previous and next page">${step(before, 'Previous')}${step(after, 'Next')}</nav>`
}

/** The address in the site that a link of a page leads to. A leading slash names a file from the top. */
function siteHref(from, href) {
  const target = href.startsWith('/') ? { file: href.slice(1), anchor: '' } : linkTarget(from, href)
  if (target === undefined) return href
  if (!target.file.endsWith('.md')) sources.add(target.file)
  else if (!existsSync(target.file) || !pages.some(({ file }) => file === target.file)) sources.add(target.file)
  const path = target.file === from ? '' : posix.relative(posix.dirname(sitePath(from)), sitePath(target.file))
  return `${path}${target.anchor && `#${target.anchor}`}` || '#'
}

function htmlOf(file, title, body, headings) {
  const path = sitePath(file)
  const up = '../'.repeat(path.split('/').length - 1)
  const item = (page) =>
    `<li><a href="${siteHref(file, `/${page.file}`)}"${page.file === file ? ' aria-current="page"' : ''}>${escaped(navigationTitle(page))}</a></li>`
  const menu = navigation.map(
    (section) => `<h2>${section.title}</h2>\n<ul>\n${section.pages.map(item).join('\n')}\n</ul>`,
  )
  const onPage = headings.filter(({ depth }) => depth === 2)
  const contents =
    onPage.length < 2
      ? ''
      : `<aside class="contents"><h2>On this page</h2><ul>${onPage.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`).join('')}</ul></aside>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}${title === 'Notewright' ? '' : ' · Notewright'}</title>
<link rel="stylesheet" href="${up}site.css">
<script src="${up}site.js" data-root="${up}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="navigation">Menu</button>
<a class="name" href="${up}index.html">Notewright</a>
<div class="search"><input id="search" type="search" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off"><div id="results" hidden></div></div>
<button type="button" id="theme">Dark</button>
</header>
<div class="columns">
<nav id="navigation" class="menu" aria-label="Pages">
${menu.join('\n')}
</nav>
<main id="content">
${body}
</main>
${contents}
</div>
</body>
</html>
`
}

function navigationTitle({ file, title }) {
  if (file === 'README.md') return 'Overview'
  return file === 'docs/README.md' ? 'All pages' : title
}

/** One entry for each section: the search shows the page and the heading, and opens it there. */
function searchEntries(page) {
  const entries = [{ page: page.title, heading: '', url: sitePath(page.file), text: '' }]
  for (const token of page.tokens) {
    if (token.type === 'heading' && token.depth > 1) {
      const url = `${sitePath(page.file)}#${token.id}`
      entries.push({ page: page.title, heading: plainText(token.tokens), url, text: '' })
    } else if (token.type !== 'html' && token.type !== 'heading') {
      entries.at(-1).text += `${textOf(token)} `
    }
  }
  for (const entry of entries) entry.text = entry.text.replace(/\s+/g, ' ').trim()
  return entries.filter(({ text, heading }) => text !== '' || heading !== '')
}

function textOf(token) {
  if (token.type === 'table')
    return [token.header, ...token.rows]
      .flat()
      .map((cell) => plainText(cell.tokens))
      .join(' ')
  if (token.type === 'list') return token.items.map((item) => item.tokens.map(textOf).join(' ')).join(' ')
  return token.tokens ? plainText(token.tokens) : (token.text ?? '')
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
