import type { Hono } from 'hono'
import * as z from 'zod'
import { Failure } from '../../../core/errors.js'
import { keptMemories, planForget } from '../../../core/memory/index.js'
import { projectRows } from '../../../core/session/index.js'
import type { ServerEnv } from '../../server/index.js'
import type { IndexAtWork } from '../index-at-work.js'
import { inPassing, type WebSetup } from '../web-setup.js'
import { bodyOf } from './body.js'

/** What belongs to the vault itself: its projects, what is remembered, and its index. */
export function mountVault(routes: Hono<ServerEnv>, setup: WebSetup, indexing: IndexAtWork): void {
  const { vault } = setup
  const { notebook } = vault

  routes.get('/projects', async (c) =>
    c.json({
      projects: await inPassing(setup, async (session) => {
        await session.toolSetup()
        return projectRows(vault, session)
      }),
    }),
  )

  routes.get('/memory', async (c) => {
    const { note } = vault.settings.memory
    return c.json({ note, memories: await keptMemories(notebook.vault, note) })
  })

  routes.post('/memory/forget', async (c) => {
    const { number, text } = bodyOf(c, z.strictObject({ number: z.number().int(), text: z.string() }))
    const { changes, forgotten } = await planForget(notebook.vault, vault.settings.memory.note, number)
    // Counted from the top, so that a note that was edited meanwhile may have another line under this number.
    if (forgotten !== text)
      throw new Failure('conflict', 'The note has changed meanwhile.', { hint: 'Look at it again.' })
    await notebook.apply(changes)
    return c.json({ id: changes.id, applied: true, forgotten })
  })

  const indexState = async () => ({
    ...(await notebook.status()),
    running: indexing.isRunning(),
    progress: indexing.progress(),
    trouble: indexing.trouble(),
  })
  routes.get('/index', async (c) => c.json(await indexState()))

  routes.post('/index', async (c) => {
    indexing.begin(bodyOf(c, z.strictObject({ anew: z.boolean().optional() })).anew)
    return c.json(await indexState())
  })
}
