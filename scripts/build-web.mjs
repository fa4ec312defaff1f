import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundlePageInParts } from './bundle-page.mjs'

/** What a browser loads before anyone can ask something, compressed. More is too much for a page that shows text. */
const mostBytes = 90_000

/** The web app's page in a folder: what it weighs compressed, and the files it was made of. */
export async function buildWeb(folder) {
  const client = 'src/apps/web/client'
  const { scripts, css, files } = await bundlePageInParts({
    name: 'page',
    script: `${client}/main.tsx`,
    style: `${client}/page.css`,
  })
  const { fileName: script } = scripts.find(({ isEntry }) => isEntry)
  const style = `page-${createHash('sha256').update(css).digest('hex').slice(0, 10)}.css`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Notewright</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body></body>
</html>
`
  const first = { 'index.html': html, [style]: css, 'icon.svg': icon }
  const later = {}
  for (const { fileName, code } of scripts) Object.assign(isLoadedFirst(fileName) ? first : later, { [fileName]: code })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries({ ...first, ...later })) writeFileSync(join(folder, name), text)
  const bytes = Object.values(first).reduce((sum, text) => sum + gzipSync(text).length, 0)
  if (bytes > mostBytes) throw new Error(`The page weighs ${bytes} bytes compressed; at most ${mostBytes}.`)
  return { bytes, files }

  /** The page's own script and what it cannot begin without. */
  function isLoadedFirst(name, from = script) {
    const { imports } = scripts.find(({ fileName }) => fileName === from)
    return name === from || imports.some((each) => isLoadedFirst(name, each))
  }
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#6b3fd4" d="M5 2h10l4 4v16H5z"/><path fill="none" stroke="#fff" stroke-width="1.6" d="M8 10h8M8 14h8M8 18h5"/></svg>`
