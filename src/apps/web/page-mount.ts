import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../core/errors.js'
import { type Mount, refusal } from '../server/index.js'

/** The page may run and style itself with its own files, and connect to its own server; nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/**
 * The document that draws diagrams runs scripts and styles of its own text alone (its head names their hashes), in an
 * origin of its own: it can load nothing, send nothing and read nothing of the page.
 */
const diagramPolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox allow-scripts',
].join('; ')

const headers = {
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
}

/** The page's files. They contain no user data, so they need no credential. */
export async function pageMount(): Promise<Mount> {
  const files = await pageFiles()
  return {
    path: '/',
    checkLogin({ method, path }) {
      if (method === 'GET' && files.has(fileName(path))) return true
      return refusal({ status: 404, code: 'unknown_url', message: `There is nothing at ${method} ${path}.` })
    },
    addRoutes(routes) {
      for (const [name, body] of files) {
        const type = types[name.split('.').pop() ?? ''] ?? 'application/octet-stream'
        // A name with a hash never means something else; the others are asked for again.
        const cache = hasHash(name) ? 'public, max-age=31536000, immutable' : 'no-cache'
        const own = { 'Content-Security-Policy': name.startsWith('diagram-') ? diagramPolicy : policy }
        const answer = () =>
          new Response(body, { headers: { ...headers, ...own, 'Content-Type': type, 'Cache-Control': cache } })
        routes.get(`/${name}`, answer)
        if (name === 'index.html') routes.get('/', answer)
      }
    },
  }
}

const hasHash = (name: string): boolean => /-[\w-]{8,}\.(?:js|css|html)$/.test(name)

const fileName = (path: string): string => (path === '/' ? 'index.html' : path.slice(1))

/** Finds the page's files: next to this file or one folder up. */
async function pageFiles(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const places = ['./web/', '../web/', '../../../dist/web/'].map((place) => new URL(place, import.meta.url))
  const folder = places.find((place) => existsSync(fileURLToPath(new URL('index.html', place))))
  if (folder === undefined) throw new Failure('internal', 'The page is not built.', { hint: 'Run: npm run build' })
  const names = await readdir(folder)
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, new Uint8Array(await readFile(new URL(name, folder)))] as const),
    ),
  )
}
