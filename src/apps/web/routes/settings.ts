import type { Hono } from 'hono'
import * as z from 'zod'
import { modes } from '../../../core/agent/index.js'
import { levelChoices } from '../../../core/approval/index.js'
import { guidanceSettings, type Setting, settingLayout, settings } from '../../../core/config/index.js'
import { Failure } from '../../../core/errors.js'
import { listMemories, planForget } from '../../../core/memory.js'
import { findProvider } from '../../../core/providers/index.js'
import { explainCall, projectRows, welcomeQuestions } from '../../../core/session/index.js'
import { addRule, permissionRows, type RuleLocation, revokeRule } from '../../../hosts/node/settings/permissions.js'
import { keyRows, probeProvider, providerRows, removeKey, storeKey } from '../../../hosts/node/settings/providers.js'
import { changeSetting, type LoadedSettings, loadSettings, settingRow } from '../../../hosts/node/settings/settings.js'
import { configuredTools, switchTool, toolDetails, toolRows } from '../../../hosts/node/settings/tools.js'
import type { ServerEnv } from '../../server/index.js'
import type { IndexJob } from '../index-job.js'
import { applySettings, readableNotes, type WebSetup, withTemporarySession } from '../web-setup.js'
import { bodyOf } from './body.js'

/** A setting with its value in force and its layout. */
const shownSetting = (setting: Setting, loaded: LoadedSettings) => ({
  ...settingRow(setting, loaded),
  ...settingLayout(setting),
})

/** Settings, as in `config`, `models`, `keys` and `tool`. Keys are write-only. */
export function mountSettings(routes: Hono<ServerEnv>, setup: WebSetup): void {
  const { place } = setup

  routes.get('/settings', async (c) => {
    const loaded = await loadSettings(place)
    return c.json({ settings: settings.map((setting) => shownSetting(setting, loaded)) })
  })

  routes.post('/settings', async (c) => {
    const { key, text } = bodyOf(c, z.strictObject({ key: z.string().max(300), text: z.string().max(200_000) }))
    const set = await changeSetting(place, key, text)
    // A value chosen here takes precedence over the server's start flags.
    if (key !== 'vault') delete place.flags[key]
    await applySettings(setup)
    return c.json(set)
  })

  routes.get('/providers', async (c) => c.json({ providers: await providerRows(place) }))

  // Asks the provider, with the key there is: a request goes out.
  routes.post('/providers/:id/test', async (c) => c.json(await probeProvider(place, findProvider(c.req.param('id')))))

  routes.get('/keys', async (c) => c.json({ keys: await keyRows(place) }))

  routes.post('/keys/:id', async (c) => {
    const { key } = bodyOf(c, z.strictObject({ key: z.string().max(10_000) }))
    const { name: _, ...stored } = await storeKey(place, c.req.param('id'), key)
    return c.json(stored)
  })

  routes.post('/keys/:id/remove', async (c) => {
    const { provider, left } = await removeKey(place, c.req.param('id'))
    return c.json({ provider, removed: true, ...(left && { left }) })
  })

  routes.get('/tools', async (c) => c.json({ tools: toolRows(await configuredTools(await loadSettings(place))) }))

  routes.get('/tools/:name', async (c) => {
    const loaded = await loadSettings(place)
    const details = toolDetails(await configuredTools(loaded), c.req.param('name'))
    const fields = guidanceSettings(c.req.param('name')).map((setting) => shownSetting(setting, loaded))
    return c.json({ ...details, settings: fields })
  })

  routes.post('/tools/:name', async (c) => {
    const { enabled } = bodyOf(c, z.strictObject({ enabled: z.boolean() }))
    const { name } = await switchTool(await loadSettings(place), c.req.param('name'), enabled)
    await applySettings(setup)
    return c.json({ name, enabled })
  })
}

/** Rules and remembered approvals, as in `permissions`. */
export function mountPermissions(routes: Hono<ServerEnv>, setup: WebSetup): void {
  const { vault, place, onTrouble } = setup
  const rules = async (): Promise<RuleLocation> => ({
    setup: await loadSettings(place),
    root: async () => vault.notebook.root,
    onTrouble,
  })

  routes.get('/permissions', async (c) =>
    c.json(
      await withTemporarySession(setup, async (session) => {
        await session.toolSetup()
        return permissionRows(session.guard, vault.settings.consent)
      }),
    ),
  )

  routes.post('/permissions', async (c) => {
    const { rule } = bodyOf(c, z.strictObject({ rule: z.string().max(2000) }))
    const added = await addRule(rule, await rules())
    await applySettings(setup)
    return c.json(added)
  })

  routes.post('/permissions/revoke', async (c) => {
    const { what } = bodyOf(c, z.strictObject({ what: z.string().max(2000) }))
    const revoked = await revokeRule(what, await rules())
    await applySettings(setup)
    return c.json({ revoked })
  })

  // A read-only POST, since the input does not fit in a URL.
  routes.post('/permissions/explain', async (c) => {
    const { tool, input } = bodyOf(c, z.strictObject({ tool: z.string().max(300), input: z.string().max(200_000) }))
    return c.json(await withTemporarySession(setup, (session) => explainCall(session, { name: tool, input })))
  })
}

/** Projects, memories and index of the vault. */
export function mountVault(routes: Hono<ServerEnv>, setup: WebSetup, indexing: IndexJob): void {
  const { vault } = setup
  const { notebook } = vault

  routes.get('/projects', async (c) =>
    c.json({
      projects: await withTemporarySession(setup, async (session) => {
        await session.toolSetup()
        return projectRows(vault, session)
      }),
    }),
  )

  routes.get('/memory', async (c) => {
    const { note } = vault.settings.memory
    return c.json({ note, memories: await listMemories(notebook.vault, note) })
  })

  routes.post('/memory/forget', async (c) => {
    const { number, text } = bodyOf(c, z.strictObject({ number: z.number().int(), text: z.string() }))
    const { changes, forgotten } = await planForget(notebook.vault, vault.settings.memory.note, number)
    // Counted from the top, so that a note that was edited meanwhile may have another line under this number.
    if (forgotten !== text)
      throw new Failure('conflict', 'The note has changed in the meantime.', { hint: 'Open it again.' })
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
    // Earlier pages, which may still be open in a browser, send `anew`.
    const { rebuild, anew } = bodyOf(
      c,
      z.strictObject({ rebuild: z.boolean().optional(), anew: z.boolean().optional() }),
    )
    indexing.begin(rebuild ?? anew)
    return c.json(await indexState())
  })
}

export function mountOverview(routes: Hono<ServerEnv>, setup: WebSetup, indexing: IndexJob): void {
  const { vault, name, models } = setup
  routes.get('/overview', async (c) => {
    const { model, mode, consent } = vault.settings
    const { notebook } = vault
    const [freshness, status] = await Promise.all([notebook.freshness(), notebook.status()])
    // An unreadable journal is reported where it is needed.
    const recovery = await notebook.recoveryNotice().catch(() => undefined)
    return c.json({
      vault: name,
      folder: notebook.root,
      model,
      mode,
      consent,
      modes,
      levels: levelChoices,
      notes: status.notes,
      freshness,
      progress: indexing.progress(),
      recovery,
    })
  })

  routes.get('/questions', async (c) => {
    const { vault: notes, index } = await readableNotes(setup)
    const search = (query: string) => index.search({ query, limit: 3 })
    return c.json({ questions: await welcomeQuestions({ vault: notes, read: (path) => notes.read(path), search }) })
  })

  routes.get('/models', async (c) => c.json({ models: await models() }))
}
