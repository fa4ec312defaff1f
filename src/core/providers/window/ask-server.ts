import { linkedAbort } from '../../model/index.js'
import { bearer, type Connection } from '../provider.js'

/** Nobody waits longer than this for a number that there is a guess for. */
const limitMs = 3000

/** Asks a server about itself. Undefined when it answers with anything but JSON, or not in time. */
export async function askServer(
  { fetch, key }: Pick<Connection, 'fetch' | 'key'>,
  url: string,
  question?: Record<string, unknown>,
): Promise<unknown> {
  const stop = linkedAbort(undefined)
  const timer = setTimeout(() => stop.abort(new Error('It took too long.')), limitMs)
  try {
    const response = await fetch(url, {
      method: question === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...bearer(key?.reveal()) },
      ...(question && { body: JSON.stringify(question) }),
      signal: stop.signal,
    })
    const text = await response.text()
    return response.ok ? JSON.parse(text) : undefined
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
    stop.release()
  }
}

/** The server's own address, for what it answers beside the API it shares with others. */
export function serverRoot(baseUrl: string): string {
  return baseUrl.replace(/\/v1$/, '')
}

type Entry = Record<string, unknown>

/** The entry of a model in `{data: [{id, …}]}`. */
export function entryOf(body: unknown, modelId: string): Entry | undefined {
  const data = (body as { data?: unknown } | null | undefined)?.data
  return Array.isArray(data) ? (data as Entry[]).find((entry) => entry?.id === modelId) : undefined
}

export function tokensIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : undefined
}
