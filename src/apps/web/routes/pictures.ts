import type { Hono } from 'hono'
import { Failure } from '../../../core/errors.js'
import { fileFacts } from '../../../core/files/index.js'
import { hashBytes, notePath } from '../../../core/vault/index.js'
import type { ServerEnv } from '../../server/index.js'
import { readableNotes, type WebSetup } from '../web-setup.js'

/** A picture is drawn and nothing else: opened by itself it may do nothing either. */
const headers = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Content-Disposition': 'inline',
}

/** Pictures of a conversation: those that were handed over, and those of the vault as they were looked at. */
export function mountPictures(routes: Hono<ServerEnv>, setup: WebSetup): void {
  routes.get('/sessions/:id/pictures/:hash', async (c) => {
    const { id, hash } = c.req.param()
    const path = c.req.query('path')
    const bytes = path === undefined ? await setup.vault.sessions.file(id, hash) : await vaultBytes(setup, path)
    if (bytes === undefined || hashBytes(bytes) !== hash)
      throw new Failure('not-found', 'This picture is no longer there, or it is another one now.')
    const facts = fileFacts('The file', bytes)
    if (facts?.kind !== 'image') throw new Failure('invalid-input', 'This is no picture.')
    // What the hash names never changes; whether it may still be seen is asked again each time.
    return new Response(new Uint8Array(bytes), {
      headers: { ...headers, 'Content-Type': facts.mediaType, 'Cache-Control': 'private, no-cache' },
    })
  })
}

/** As the person's own questions see the vault: what is hidden is absent. */
async function vaultBytes(setup: WebSetup, path: string): Promise<Uint8Array | undefined> {
  const { vault } = await readableNotes(setup)
  return (await vault.read(notePath(path)))?.bytes
}
