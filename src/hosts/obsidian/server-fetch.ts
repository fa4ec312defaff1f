import { obsidianFetch } from './fetch.js'

/**
 * The way to an MCP server, as a browser asks, so that it can speak while it works. One that lets no app ask so is asked
 * through Obsidian: its answers come whole, and it is told that nobody listens in between.
 */
export function serverFetch(): typeof window.fetch {
  const inPieces = new Set<string>()
  // What comes first is a greeting, which may come twice.
  const asked = obsidianFetch({ onBuffered: (origin) => inPieces.add(origin) })
  return async (address, init) => {
    const url = typeof address === 'string' ? address : address instanceof URL ? address.href : address.url
    const { origin } = new URL(url)
    const isListening = (init?.method ?? 'GET') === 'GET'
    if (isListening && inPieces.has(origin)) return new Response(null, { status: 405 })
    return asked(url, init)
  }
}
