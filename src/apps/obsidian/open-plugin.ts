import type { ApprovalEvent, Panel } from '../../core/approval/index.js'
import type { Config } from '../../core/config/index.js'
import { type Session, type SessionsAtWork, sessionsAtWork } from '../../core/session/index.js'
import { type Registry, toolNamed } from '../../core/tools/index.js'
import {
  configOf,
  howToDecide,
  openPluginVault,
  type PluginSettings,
  type PluginVault,
  recipientOfSearchKey,
  webSearchService,
} from '../../hosts/obsidian/index.js'
import { failureOf, noticeOf } from './failure-of.js'
import type { NotewrightPlugin } from './plugin.js'
import { tellOfSteps } from './step-news.js'
import { ToolApprovalModal } from './tool-approval-modal.js'

/** What the views work with, once the vault is open. */
export interface OpenPlugin {
  vault: PluginVault
  atWork: SessionsAtWork
  /** Search by words and links are ready, or cannot be. */
  ready: Promise<void>
  /** Asks in a window of its own where no pane shows the conversation. */
  watch(session: Session): void
  /** Settings in force from the next turn on; some need everything to be opened again. */
  use(settings: PluginSettings): 'done' | 'open again'
  close(): Promise<void>
}

export async function openPlugin(plugin: NotewrightPlugin): Promise<OpenPlugin> {
  const { config, trouble } = configOf(plugin.settings)
  if (trouble !== undefined) plugin.tell(trouble)
  const { adapter } = plugin.app.vault
  const vault = await openPluginVault(plugin.app, {
    settings: () => plugin.settings,
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
  const inForce = (told: Config, onUnknown?: (names: string[]) => void) =>
    withSearchKey(withKnownTools(told, vault.registry, onUnknown), plugin, vault, onWithheld)
  vault.settings = inForce(config, (names) => plugin.tell(notKnown(names)))
  await mentionUnsettled(vault, plugin)
  tellOfSteps(vault, plugin)
  const behind = vault.notebook.updateBehind({ vectors: config.index.vectors })
  behind.done.catch((error: Error) => {
    plugin.debug(`The index was not brought up to date: ${error.message}`)
  })
  const stopFollowing = vault.notebook.follow()
  const atWork = sessionsAtWork(vault, (text) => plugin.tell(text))
  const watched = new Map<string, () => void>()

  return {
    vault,
    atWork,
    ready: behind.text.catch(() => undefined),
    watch(session) {
      if (!watched.has(session.id)) watched.set(session.id, watchApprovals(vault, session, plugin))
    },
    use(settings) {
      const next = configOf(settings).config
      vault.settings = inForce(next)
      vault.takeUpServers().catch((error: Error) => plugin.tell(noticeOf(failureOf(error))))
      return next.exclude.join('\n') === config.exclude.join('\n') ? 'done' : 'open again'
    },
    async close() {
      for (const stop of watched.values()) stop()
      stopFollowing()
      vault.desk.dismiss()
      await atWork.close()
      await vault.close()
    },
  }
}

/**
 * Settings may come from another version or another plugin. A tool nobody knows would stop every conversation, so it is
 * passed over; what may still come, as a tool of a server, is waited for.
 */
function withKnownTools(config: Config, registry: Registry, onUnknown?: (names: string[]) => void): Config {
  const isKnown = (id: string) => toolNamed(id, registry) !== undefined || /\/|^mcp_/.test(id)
  const { enabled } = config.tools
  const unknown = enabled?.filter((id) => !isKnown(id)) ?? []
  if (enabled === undefined || unknown.length === 0) return config
  onUnknown?.(unknown)
  const tools = { ...config.tools }
  tools.enabled = enabled.filter(isKnown)
  return { ...config, tools }
}

/** In the settings stands its name alone. Where the address is not agreed to here, there is no search that could send it. */
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

const searchWaits = (origin: string): string =>
  `The web is not searched before you agree, under Settings → Notewright → Web search, that your key for it is sent to ${origin}.`

const notKnown = (names: readonly string[]): string =>
  `The settings name tools that are not known here, and are passed over: ${names.join(', ')}`

function watchApprovals(vault: PluginVault, session: Session, plugin: NotewrightPlugin): () => void {
  let modal: ToolApprovalModal | undefined
  const hear = (event: ApprovalEvent) => {
    if (event.type === 'approval-decided') return modal?.hear(event)
    plugin.debug(`Requesting approval for tool: ${namesIn(event.panel)}`)
    if (plugin.isShown(session.id)) return
    modal = new ToolApprovalModal(plugin.app, vault, event.panel, session.state().model)
    modal.open()
  }
  const stop = vault.desk.listen(session.id, hear)
  return () => {
    stop()
    modal?.close()
  }
}

function namesIn(panel: Panel): string {
  if (panel.kind === 'question') return panel.from
  return panel.kind === 'batch' ? panel.requests.map(({ tool }) => tool.name).join(', ') : panel.tool.name
}

/** What a crash has left undecided is said until somebody decides. */
async function mentionUnsettled({ notebook }: PluginVault, plugin: NotewrightPlugin): Promise<void> {
  const notes = (await notebook.unsettled()).flatMap(({ unsettled }) => unsettled?.notes ?? [])
  if (notes.length === 0) return
  plugin.tell(
    `A change was cut off, and someone else has changed these notes meanwhile. They were left as they are: ${notes.join(', ')}. ${howToDecide}`,
  )
}
