import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { ServerEnv } from './door.js'

/** How long a client may leave what it was sent unread. */
const patienceMs = 60_000

/** So much is written at once, however fast it comes. */
const mostAtOnce = 65_536

/**
 * Answers with a stream of texts, made as fast as the client takes them: one that reads slowly slows down nobody but
 * its own stream, and one that stops reading ends it. They go to Node's response directly: the head of a web stream
 * waits for a timer, and every piece of it for several promises.
 */
export function sendTexts(
  c: Context<ServerEnv>,
  texts: AsyncGenerator<string, void, void>,
  headers: Record<string, string>,
): Response {
  const { outgoing } = c.env
  outgoing.writeHead(200, headers)
  writeAll(outgoing, texts).catch(() => outgoing.destroy())
  return RESPONSE_ALREADY_SENT
}

/** What comes in one go leaves in one piece. */
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
    if (gathered.length > mostAtOnce) flush()
    if (outgoing.writableNeedDrain) await drained(outgoing)
  }
  flush()
  outgoing.end()
}

/** Who does not read any more is sent away, of which the request's signal tells everyone. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => outgoing.destroy(), patienceMs)
    const go = () => {
      clearTimeout(patience)
      outgoing.off('drain', go).off('close', go)
      resolve()
    }
    outgoing.on('drain', go).on('close', go)
  })
}
