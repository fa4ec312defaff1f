import type { Hono } from 'hono'
import { notesTouched } from '../../../core/session/index.js'
import { graphOf, neighbourhood } from '../../../core/vault-index/index.js'
import type { ServerEnv } from '../../server/index.js'
import { readableNotes, type WebSetup } from '../web-setup.js'

/** More than that is a cloud that nobody reads. */
const mostNodes = 2000
const mostDepth = 3

/** What has to do with a note, and what is linked with it or was touched by a conversation. */
export function mountGraph(routes: Hono<ServerEnv>, setup: WebSetup): void {
  const { vault } = setup

  routes.get('/related', async (c) => {
    const { index } = await readableNotes(setup)
    const { path } = await index.find(c.req.query('target') ?? '')
    const { notes } = await index.related({ path })
    return c.json({ path, notes })
  })

  routes.get('/graph', async (c) => {
    const { index } = await readableNotes(setup)
    const session = c.req.query('session')
    if (session !== undefined) {
      return c.json(await graphOf(index, await notesTouched(vault.sessions, vault.registry, session), mostNodes))
    }
    const { path } = await index.find(c.req.query('target') ?? '')
    const depth = Math.min(mostDepth, Math.max(1, Number(c.req.query('depth')) || 1))
    return c.json(await neighbourhood(index, path, { depth, limit: mostNodes }))
  })
}
