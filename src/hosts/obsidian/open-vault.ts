import type { App } from 'obsidian'
import { type RuleTexts, vaultRulesFile, vaultRuleTexts } from '../../core/approval/index.js'
import { type Config, journalBytes } from '../../core/config/index.js'
import { type Notebook, openNotebook } from '../../core/index/index.js'
import { providers } from '../../core/providers/index.js'
import { type OpenedVault, type VaultHost, vaultFromHost } from '../../core/session/index.js'
import { visibleText } from '../../core/text/index.js'
import { type Clock, dailyNoteSettings, type Redact, redactOnlySecrets, redactor } from '../../core/tools/index.js'
import { type CallLog, indexedDbLog } from './call-log.js'
import type { Database } from './database.js'
import { obsidianFetch } from './fetch.js'
import { vaultGuides } from './guides.js'
import { indexedDbStore } from './index-store.js'
import { runInWebWorker } from './index-worker.js'
import { type KeyRecipients, keyRecipients, secretKeys } from './keys.js'
import { type ModelServices, modelListAt, noStreamingNotice, openPluginModel } from './models.js'
import type { PluginServers } from './servers.js'
import { indexedDbSessions } from './session-store.js'
import { configOf, environmentOf, type PluginSettings } from './settings.js'
import {
  databaseDialects,
  databaseGrants,
  databaseSeenTools,
  databaseTimers,
  databaseTrust,
  openState,
} from './stored-values.js'
import { type ObsidianVault, obsidianVault } from './vault/obsidian-vault.js'
import { obsidianWeb } from './web.js'

/** Text: where to resolve interrupted changes. */
export const howToDecide = 'Choose what to keep in the Activity pane.'

export interface PluginVault extends OpenedVault {
  readonly log: CallLog
  readonly grants: VaultHost['grants']
  /** Access to providers under the current settings. */
  models: () => ModelServices
  /** Services that may receive keys. */
  readonly recipients: KeyRecipients
  /** Loaded and started when they are first needed. */
  toolServers: () => Promise<PluginServers>
  /** The settings have changed: servers that were started follow. */
  takeUpServers: () => Promise<void>
}

interface PluginVaultSetup {
  /** The current settings. */
  settings: () => PluginSettings
  /** True if a server of the settings was entered or agreed to on this device. */
  isAgreed: (server: string) => boolean
  config: Config
  /** The plugin's own file. */
  code: () => Promise<string>
  /** Called once for each server that cannot stream, with advice. */
  onBuffered: (advice: string) => void
  /** Our own version, for servers. */
  version: string
  /** Receives problems, as sentences for the user. */
  onTrouble: (text: string) => void
  /** Debug output. */
  onDebug: (line: string) => void
}

/** The vault that Obsidian has open, with all that belongs to it: journal, index, sessions, log. Nothing is sent by this. */
export async function openPluginVault(app: App, setup: PluginVaultSetup): Promise<PluginVault> {
  const id = vaultId(app)
  const { config, settings } = setup
  const [database, store] = await Promise.all([openState(id), indexedDbStore(indexName(id))])
  const vault = await obsidianVault(app, {
    id,
    database,
    exclude: config.exclude,
    onWait: () => setup.onTrouble('Another program is writing to these notes. The change waits for it.'),
    retention: { changes: config.journal.changes, days: config.journal.days, bytes: journalBytes(config) },
  })
  const runStages = runInWebWorker({ vault, store, workspace: app.workspace, index: indexName(id), code: setup.code })
  const notebook = await openNotebook({ vault, store, runStages, wantsVectors: config.index.vectors })
  const fetch = obsidianFetch({
    onBuffered: (origin) =>
      setup.onBuffered(noStreamingNotice(origin, { settings: settings(), providers, app: window.location.origin })),
    harmless: (origin) => modelListAt(origin, settings(), providers),
  })
  const dialects = databaseDialects(database)
  const trusted = databaseTrust(database)
  const recipients = await keyRecipients(trusted)
  const models = () => {
    // Keys are for the addresses they are requested with, even if the settings change.
    const now = settings()
    const keys = secretKeys(now, (name) => app.secretStorage.getSecret(name), recipients)
    return { environment: environmentOf(now, providers), fetch, keys, dialects }
  }
  // Keys may be chosen, and changed, at any time.
  const redact =
    (limits = {}): Redact =>
    (value) =>
      redactor({ secrets: secretsOf(app, settings()), ...limits })(value)
  const log = indexedDbLog(database, {
    redact: redact(),
    maxBytes: () => configOf(settings()).config.log.megabytes * 500_000,
  })
  const grants = databaseGrants(database)
  const host: VaultHost = {
    notebook: closing(notebook, vault, database),
    howToDecide,
    clock,
    timers: databaseTimers(database),
    web: obsidianWeb,
    log,
    sessions: indexedDbSessions(database),
    redact: redact(redactOnlySecrets),
    grants,
    guides: vaultGuides(app),
    dailyNotes: async () => dailyNoteSettings(await textOf(app, `${app.vault.configDir}/daily-notes.json`)),
    vaultRules: (onTrouble) => vaultRules(app, onTrouble),
    modelSources: () => JSON.stringify([settings().addresses, settings().secrets, secretsOf(app, settings())]),
    openModel: (name, dialect, wish) => openPluginModel(name, dialect, models(), wish),
    // MCP servers start with the first question to a model. Without a model nothing is sent.
    async beforeTurn() {
      if (usesServers(opened.settings)) await (await servers()).start()
    },
  }
  const opened = vaultFromHost({ host, settings: config, approvalOptions: { remote: true } })
  let loading: Promise<PluginServers> | undefined
  function servers(): Promise<PluginServers> {
    loading ??= import('./servers.js').then(({ pluginServers }) => {
      const { registry, approvalQueue } = opened
      const { version, onTrouble, onDebug } = setup
      // The output may repeat a key it was given.
      const line = redact({})
      return pluginServers({
        app,
        settings,
        isAgreed: setup.isAgreed,
        config: () => opened.settings,
        seen: databaseSeenTools(database),
        trusted,
        registry,
        approvalQueue,
        version,
        onTrouble,
        onLine: (server, text) => onDebug(`${server}: ${visibleText(String(line(text))).text}`),
      })
    })
    return loading
  }
  const closeVault = opened.close.bind(opened)
  const close = async () => {
    await (await loading)?.stop()
    await closeVault()
  }
  const takeUpServers = async () => (await loading)?.takeUp()
  return Object.assign(opened, { log, grants, models, recipients, toolServers: servers, takeUpServers, close })
}

/** Tools of servers are off until named; the vault may configure servers too. */
const usesServers = ({ tools }: Config): boolean => tools.calling && tools.enabled !== undefined

const indexName = (id: string): string => `notewright-${id}-index`

/** Browser storage is shared by all vaults of a machine, so each vault has its own id. */
function vaultId(app: App): string {
  const known: unknown = app.loadLocalStorage('notewright-vault')
  if (typeof known === 'string' && known !== '') return known
  const id = crypto.randomUUID()
  app.saveLocalStorage('notewright-vault', id)
  return id
}

const clock: Clock = {
  now: () => new Date(),
  get timeZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  },
}

function closing(notebook: Notebook, vault: ObsidianVault, database: Database): Notebook {
  return {
    ...notebook,
    async close() {
      vault.close()
      await notebook.close()
      database.close()
    },
  }
}

function secretsOf(app: App, { secrets, serverSecrets }: PluginSettings): string[] {
  return [...Object.values(secrets), ...Object.values(serverSecrets)].flatMap(
    (name) => app.secretStorage.getSecret(name) ?? [],
  )
}

async function vaultRules(app: App, onTrouble: (text: string) => void): Promise<RuleTexts> {
  if (!(await app.vault.adapter.exists(vaultRulesFile))) return { from: 'vault' }
  return vaultRuleTexts(await app.vault.adapter.read(vaultRulesFile), onTrouble)
}

/** '' where there is none, or none that can be read. */
async function textOf(app: App, file: string): Promise<string> {
  try {
    return (await app.vault.adapter.exists(file)) ? await app.vault.adapter.read(file) : ''
  } catch {
    return ''
  }
}
