import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Failure } from '../../core/errors.js'
import type { Door } from '../server/index.js'

/** The page may run and style itself with its own files, and speak to its own server; nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

const types: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The page itself. Its files hold nothing of anyone's, so that whoever asks for them gets them. */
export async function pageDoor(): Promise<Door> {
  const files = await pageFiles()
  return {
    path: '/',
    admits: ({ method, path }) => method === 'GET' && files.has(fileName(path)),
    mount(routes) {
      for (const [name, body] of files) {
        const type = types[name.split('.').pop() ?? '']
        // A name with a hash never means something else; the page that names them is asked for again.
        const cache = name === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable'
        const answer = () =>
          new Response(body, { headers: { ...headers, 'Content-Type': type, 'Cache-Control': cache } })
        routes.get(`/${name}`, answer)
        if (name === 'index.html') routes.get('/', answer)
      }
    },
  }
}

const fileName = (path: string): string => (path === '/' ? 'index.html' : path.slice(1))

/** Where the build puts the page: beside this file or one folder up. */
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
