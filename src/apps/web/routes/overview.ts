import type { Hono } from 'hono'
import { modes } from '../../../core/agent/index.js'
import { consentLevels, levelTexts } from '../../../core/approval/index.js'
import { welcomeQuestions } from '../../../core/session/index.js'
import type { ServerEnv } from '../../server/index.js'
import type { IndexAtWork } from '../index-at-work.js'
import type { WebSetup } from '../web-setup.js'

export function mountOverview(routes: Hono<ServerEnv>, { vault, name, models }: WebSetup, indexing: IndexAtWork): void {
  routes.get('/overview', async (c) => {
    const { model, mode, consent } = vault.settings
    const [freshness, status] = await Promise.all([vault.notebook.freshness(), vault.notebook.status()])
    return c.json({
      vault: name,
      model,
      mode,
      consent,
      modes,
      levels: consentLevels.map((level) => ({ level, about: levelTexts[level] })),
      notes: status.notes,
      freshness,
      progress: indexing.progress(),
    })
  })

  routes.get('/questions', async (c) => {
    const { vault: notes } = vault.notebook
    return c.json({ questions: await welcomeQuestions({ vault: notes, read: (path) => notes.read(path) }) })
  })

  routes.get('/models', async (c) => c.json({ models: await models() }))
}
