// The pages of the docs: their order in the navigation, headings with anchors, and links.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { Marked } from 'marked'

const inFolder = (folder, ...first) => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const others = files.filter((name) => !first.includes(name)).sort()
  return [...first, ...others].map((name) => `${folder}/${name}`)
}

/** The navigation. Every page of the docs is in it; a folder's other pages follow in the order of their names. */
export const sections = () => [
  { title: 'Notewright', pages: ['README.md', 'docs/README.md'] },
  {
    title: 'Quick starts',
    pages: inFolder('docs/start', 'obsidian.md', 'terminal.md', 'mcp.md', 'local-models.md', 'developer.md'),
  },
  {
    title: 'Guides',
    pages: inFolder(
      'docs/guides',
      'search.md',
      'chats.md',
      'approvals.md',
      'undo.md',
      'links.md',
      'models.md',
      'memory.md',
      'projects.md',
      'instructions.md',
      'terminal.md',
      'web.md',
      'obsidian.md',
      'mcp.md',
      'mcp-servers.md',
      'own-tools.md',
      'responses.md',
      'log.md',
      'coming-from.md',
    ),
  },
  { title: 'Reference', pages: inFolder('docs/reference', 'cli.md', 'config.md', 'tools.md') },
  {
    title: 'Work on Notewright',
    pages: [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      ...inFolder('docs/internals'),
      'docs/glossary.md',
      'docs/writing.md',
      'examples/README.md',
      'SECURITY.md',
      'CHANGELOG.md',
    ],
  },
]

/** A page: its tokens, headings, and the links and pictures in it. */
export function readPage(file) {
  const used = new Map()
  const headings = []
  const links = []
  const marked = new Marked()
  const tokens = marked.lexer(readFileSync(file, 'utf8'))
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') {
      const text = plainText(token.tokens)
      headings.push({ depth: token.depth, text, id: (token.id = uniqueId(anchorOf(text), used)) })
    }
    if (token.type === 'link' || token.type === 'image') links.push(token.href)
  })
  return { file, title: headings[0]?.text ?? file, headings, links, tokens }
}

/** The visible text of inline tokens. */
export function plainText(tokens = []) {
  return tokens
    .map((token) => (token.tokens ? plainText(token.tokens) : unescaped(token.text ?? '')))
    .join('')
    .trim()
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name])

/** The anchor that GitHub gives a heading, so that links work there and on the site. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

function uniqueId(id, used) {
  const count = used.get(id) ?? 0
  used.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}

/** Where a link of a page leads: a file of the repository with an anchor, or nothing for an address elsewhere. */
export function linkTarget(file, href) {
  if (/^[a-z][a-z+.-]*:/i.test(href)) return undefined
  const [path, anchor = ''] = href.split('#')
  const target = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), decodeURIComponent(path)))
  return { file: target, anchor }
}

/** Links of these pages to files or headings that do not exist, one line for each. */
export function brokenLinks(pages) {
  const read = new Map(pages.map((page) => [page.file, page]))
  return pages.flatMap((page) =>
    page.links.flatMap((href) => {
      const target = linkTarget(page.file, href)
      if (target === undefined) return []
      if (target.file.startsWith('..') || !existsSync(target.file)) return [`${page.file}: ${href}: no such file`]
      if (statSync(target.file).isDirectory()) return [`${page.file}: ${href}: a folder`]
      if (target.anchor === '') return []
      const linked = read.get(target.file)
      if (linked?.headings.some(({ id }) => id === target.anchor)) return []
      return [`${page.file}: ${href}: no such heading`]
    }),
  )
}

/** Every Markdown file of the docs; those that the navigation lacks cannot be found by a reader. */
export function allPages() {
  const below = (folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name).replaceAll('\\', '/'))
  const atTop = readdirSync('.').filter((name) => name.endsWith('.md'))
  const inDocs = [...below('docs'), 'examples/README.md'].filter((name) => name.endsWith('.md'))
  return [...atTop, ...inDocs]
}

/** The path of a page in the site. Files that are no pages are shown as text. */
export function sitePath(file) {
  if (file === 'README.md') return 'index.html'
  if (posix.basename(file) === 'README.md') return `${dirname(file)}/index.html`
  return file.endsWith('.md') ? file.replace(/\.md$/, '.html') : `${file}.html`
}
