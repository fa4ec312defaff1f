import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { ServerEnv } from './mount.js'

/** Time a client may leave data unread before it is disconnected. */
const unreadMs = 60_000

/** Characters gathered into one write at most. */
const maxWrite = 65_536

/**
 * Answers with a stream of texts, generated as fast as the client reads them: a slow client slows down only its own
 * stream, and a client that stops reading is disconnected. Texts are written to Node's response directly: a web stream
 * delays its head by a timer, and every chunk by several promises.
 */
export function sendTexts(
  c: Context<ServerEnv>,
  texts: AsyncGenerator<string, void, void>,
  headers: Record<string, string>,
): Response {
  const { outgoing } = c.env
  outgoing.writeHead(200, headers)
  // The response has begun, so that a failure can only end the connection.
  writeAll(outgoing, texts).catch(() => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}

/** Texts that are generated in the same tick are written together. */
async function writeAll(outgoing: ServerResponse, texts: AsyncGenerator<string, void, void>): Promise<void> {
  let gathered = ''
  const flush = () => {
    if (gathered !== '') outgoing.write(gathered)
    gathered = ''
  }
  for await (const text of texts) {
    if (outgoing.destroyed) return
    if (gathered === '') process.nextTick(flush)
    gathered += text
    if (gathered.length > maxWrite) flush()
    if (outgoing.writableNeedDrain) await drained(outgoing)
  }
  flush()
  outgoing.end()
}

/** Waits until the client has read enough. One that does not is disconnected, which aborts the request's signal. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => outgoing.destroy(), unreadMs)
    const resume = () => {
      clearTimeout(timeout)
      outgoing.off('drain', resume).off('close', resume)
      resolve()
    }
    outgoing.on('drain', resume).on('close', resume)
  })
}
