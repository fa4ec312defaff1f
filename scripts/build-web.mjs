import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pageScript } from './bundle.mjs'
import { bundlePageInParts } from './bundle-page.mjs'

/** Limit, compressed, for the files that a browser loads before a user can ask something. */
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
  const diagrams = await diagramPage(`${client}/rich/diagram-frame.ts`)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="notewright-diagrams" content="${diagrams.name}">
<title>Notewright</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="icon-192.png">
<link rel="manifest" href="manifest.webmanifest">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body></body>
</html>
`
  const icons = Object.fromEntries(readdirSync(iconFolder).map((name) => [name, readFileSync(join(iconFolder, name))]))
  const first = { 'index.html': html, [style]: css, 'icon.svg': icons['icon.svg'] }
  const later = { ...icons, [diagrams.name]: diagrams.html, 'manifest.webmanifest': JSON.stringify(manifest, null, 2) }
  for (const { fileName, code } of scripts) Object.assign(isLoadedFirst(fileName) ? first : later, { [fileName]: code })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries({ ...first, ...later })) writeFileSync(join(folder, name), text)
  const bytes = Object.values(first).reduce((sum, text) => sum + gzipSync(text).length, 0)
  if (bytes > mostBytes) throw new Error(`The page weighs ${bytes} bytes compressed; at most ${mostBytes}.`)
  return { bytes, files: [...files, mermaid] }

  /** The page's own script and what it cannot begin without. */
  function isLoadedFirst(name, from = script) {
    const { imports } = scripts.find(({ fileName }) => fileName === from)
    return name === from || imports.some((each) => isLoadedFirst(name, each))
  }
}

const mermaid = 'node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js'

/**
 * The document that draws diagrams, as one file: a frame without an origin loads nothing from the server. Its policy names
 * its two scripts.
 */
async function diagramPage(frameScript) {
  const scripts = [readFileSync(mermaid, 'utf8'), await pageScript(frameScript)].map(asInlineScript)
  const sums = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  const html = `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="script-src ${sums.join(' ')}">
<title>Diagrams</title>
<body>
${scripts.map((text) => `<script>${text}</script>`).join('\n')}
`
  return { name: `diagram-${createHash('sha256').update(html).digest('hex').slice(0, 10)}.html`, html }
}

/** Nothing in it ends the script or begins a comment for a reader of HTML. */
const asInlineScript = (text) => text.replaceAll(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '\\x3C!--')

const iconFolder = 'src/apps/web/client/icons'

/** With it a browser can install the page as an app. */
const manifest = {
  name: 'Notewright',
  short_name: 'Notewright',
  description: 'Ask your notes',
  start_url: '/',
  display: 'standalone',
  background_color: '#f5f4f1',
  theme_color: '#f5f4f1',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
}
