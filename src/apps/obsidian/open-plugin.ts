import type { ApprovalEvent, UserRequest } from '../../core/approval/index.js'
import type { Config } from '../../core/config/index.js'
import { type RunningSessions, runningSessions, type Session } from '../../core/session/index.js'
import { visibleText } from '../../core/text/index.js'
import { findToolById, type Registry } from '../../core/tools/index.js'
import {
  configOf,
  effectiveSettings,
  howToDecide,
  isAgreedServer,
  openPluginVault,
  type PluginSettings,
  type PluginVault,
  partsToAgree,
  recipientOfSearchKey,
  webSearchService,
} from '../../hosts/obsidian/index.js'
import { failureOf, noticeOf } from './failure-of.js'
import { logSteps } from './log-steps.js'
import type { NotewrightPlugin } from './plugin.js'
import { ToolApprovalModal } from './tool-approval-modal.js'

/** The open vault and its services, for the views. */
export interface OpenPlugin {
  vault: PluginVault
  runningSessions: RunningSessions
  /** Search by words and links are ready, or cannot be. */
  ready: Promise<void>
  /** Asks in a modal if no pane shows the conversation. */
  watch(session: Session): void
  /** The settings as they are now, in force from the next turn on; some need everything to be opened again. */
  use(): 'done' | 'open again'
  close(): Promise<void>
}

export async function openPlugin(plugin: NotewrightPlugin): Promise<OpenPlugin> {
  // Settings from earlier use of the plugin on this device count as agreed to.
  if (plugin.agreed === undefined) {
    plugin.agreeTo(plugin.app.loadLocalStorage('notewright-vault') ? partsToAgree(plugin.settings) : {})
  }
  let lastWaiting = ''
  function inForce(): PluginSettings {
    const { settings, waiting } = effectiveSettings(plugin.settings, plugin.agreed ?? {})
    const text = waiting.join('; ')
    if (text !== lastWaiting && text !== '') plugin.tell(waits(waiting))
    lastWaiting = text
    return settings
  }
  const { config, trouble } = configOf(inForce())
  if (trouble !== undefined) plugin.tell(trouble)
  const { adapter } = plugin.app.vault
  const vault = await openPluginVault(plugin.app, {
    settings: () => effectiveSettings(plugin.settings, plugin.agreed ?? {}).settings,
    isAgreed: (server) => isAgreedServer(server, plugin.settings, plugin.agreed ?? {}),
    config,
    code: () => adapter.read(`${plugin.manifest.dir}/main.js`),
    onBuffered: (advice) => plugin.tell(advice),
    version: plugin.manifest.version,
    onTrouble: (text) => plugin.tell(text),
    onDebug: (line) => plugin.debug(line),
  })
  const withheld = new Set<string>()
  const onWithheld = (origin: string) => {
    if (!withheld.has(origin)) plugin.tell(searchWaits(origin))
    withheld.add(origin)
  }
  const usable = (told: Config, onUnknown?: (names: string[]) => void) =>
    withSearchKey(withKnownTools(told, vault.registry, onUnknown), plugin, vault, onWithheld)
  vault.settings = usable(config, (names) => plugin.tell(notKnown(names)))
  await mentionUndecided(vault, plugin)
  logSteps(vault, plugin)
  const behind = vault.notebook.updateInBackground({ vectors: config.index.vectors })
  behind.done.catch((error: Error) => {
    plugin.debug(`The index was not updated: ${error.message}`)
  })
  const stopFollowing = vault.notebook.follow()
  const running = runningSessions(vault, (text) => plugin.tell(text))
  const watched = new Map<string, () => void>()

  return {
    vault,
    runningSessions: running,
    // Its failure is reported by the background update.
    ready: behind.text.catch(() => undefined),
    watch(session) {
      if (!watched.has(session.id)) watched.set(session.id, watchApprovals(vault, session, plugin))
    },
    use() {
      const next = configOf(inForce()).config
      vault.settings = usable(next)
      vault.takeUpServers().catch((error: Error) => plugin.tell(noticeOf(failureOf(error))))
      return next.exclude.join('\n') === config.exclude.join('\n') ? 'done' : 'open again'
    },
    async close() {
      for (const stop of watched.values()) stop()
      stopFollowing()
      vault.approvalQueue.dismiss()
      await running.close()
      await vault.close()
    },
  }
}

/**
 * Settings may come from another version or another plugin. An unknown tool would fail every conversation, so it is
 * skipped; one that may be registered later, such as a server's tool, is kept.
 */
function withKnownTools(config: Config, registry: Registry, onUnknown?: (names: string[]) => void): Config {
  const isKnown = (id: string) =>
    findToolById(id.replace(/^-/, ''), registry) !== undefined || /\/|__|^mcp_|^default$/.test(id)
  const { enabled } = config.tools
  const unknown = enabled?.filter((id) => !isKnown(id)) ?? []
  if (enabled === undefined || unknown.length === 0) return config
  onUnknown?.(unknown)
  const tools = { ...config.tools }
  tools.enabled = enabled.filter(isKnown)
  return { ...config, tools }
}

/**
 * Adds the search key, which settings store only by name. Omitted if the user has not agreed to the address on this
 * device.
 */
function withSearchKey(
  config: Config,
  { app, settings }: NotewrightPlugin,
  { recipients }: PluginVault,
  onWithheld: (origin: string) => void,
): Config {
  const name = settings.secrets[webSearchService]
  const searchKey = name ? app.secretStorage.getSecret(name)?.trim() : undefined
  const recipient = recipientOfSearchKey(config.web)
  if (!searchKey || recipient === undefined) return config
  if (recipients.maySend(recipient)) return { ...config, web: { ...config.web, searchKey } }
  onWithheld(recipient.origin)
  const { searchEngine: _, ...web } = config.web
  return { ...config, web }
}

const waits = (waiting: readonly string[]): string =>
  `Some settings were changed on another device and need your approval under Settings → Notewright: ${visibleText(waiting.join('; ')).text}`

const searchWaits = (origin: string): string =>
  `Web search is off until you approve sending your key to ${origin}, under Settings → Notewright → Web search.`

const notKnown = (names: readonly string[]): string =>
  `The settings contain unknown tools, which are ignored: ${names.join(', ')}`

function watchApprovals(vault: PluginVault, session: Session, plugin: NotewrightPlugin): () => void {
  let modal: ToolApprovalModal | undefined
  const hear = (event: ApprovalEvent) => {
    if (event.type === 'approval-decided') return modal?.hear(event)
    plugin.debug(`Requesting approval for tool: ${namesIn(event.panel)}`)
    if (plugin.isShown(session.id)) return
    modal = new ToolApprovalModal(plugin.app, vault, event.panel, session.state().model)
    modal.open()
  }
  const stop = vault.approvalQueue.listen(session.id, hear)
  return () => {
    stop()
    modal?.close()
  }
}

function namesIn(panel: UserRequest): string {
  if (panel.kind === 'question') return panel.from
  return panel.kind === 'batch' ? panel.requests.map(({ tool }) => tool.name).join(', ') : panel.tool.name
}

/**
 * Shows notes left undecided by a crash until they are resolved, and the result of a recovery until the next change.
 */
async function mentionUndecided({ notebook }: PluginVault, plugin: NotewrightPlugin): Promise<void> {
  const notes = (await notebook.undecidedChanges()).flatMap(({ unsettled }) => unsettled?.notes ?? [])
  if (notes.length === 0) {
    const recovery = await notebook.recoveryNotice()
    if (recovery !== undefined) plugin.tell(recovery)
    return
  }
  plugin.tell(
    `A change was interrupted, and these notes were edited in the meantime. They are unchanged: ${notes.join(', ')}. ${howToDecide}`,
  )
}
