import type { ApprovalQueueOptions } from '../../core/approval/index.js'
import type { IndexProgress } from '../../core/index/index.js'
import type { ToolServers } from '../../core/mcp/index.js'
import type { OpenedVault } from '../../core/session/index.js'
import { vaultFromHost } from '../../core/session/index.js'
import type { Tool } from '../../core/tools/index.js'
import type { SharedApprovals } from './approvals.js'
import { clientTaint, sharedApprovals } from './approvals.js'
import { readConfig } from './config.js'
import { findVault, requestedVault } from './find-vault.js'
import type { FolderHostSetup } from './folder-host.js'
import { folderHost } from './folder-host.js'
import { secretStore } from './keys.js'
import type { FolderNotebook, OpenNotebookOptions } from './open-notebook.js'
import { openFolderNotebook } from './open-notebook.js'
import { vaultState } from './state-database.js'
import type { HostEnvironment } from './state-folders.js'
import { processEnvironment, stateFolders } from './state-folders.js'

/** A vault that is a folder on this computer. */
export interface FolderVault extends OpenedVault<FolderNotebook> {
  /** Secrets that never reach the log. New ones are added as they become known. */
  readonly secrets: string[]
  /** Requests that wait for the user in all processes on this vault. */
  readonly approvals: SharedApprovals
  /** Closes the vault at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>
}

export interface FolderVaultSetup extends FolderHostSetup, Omit<OpenNotebookOptions, 'surroundings'> {
  /** Real path of the vault's folder. */
  root: string
  /** How the user is asked for approval. Without it, calls that need approval are denied. */
  approvalOptions?: ApprovalQueueOptions | undefined
  /** Other processes on the vault can answer approval requests too. Always true without a user in this process. */
  sharesApprovals?: boolean
  /** Starts the user's MCP servers in the background. */
  startsServers?: boolean
  /** Lines that those servers write to their standard error. */
  onServerLine?(server: string, line: string): void
}

export async function openFolderVault(setup: FolderVaultSetup): Promise<FolderVault> {
  const { root, settings, folders, approvalOptions } = setup
  const notebook = await openFolderNotebook({ root, config: settings, folders }, setup)
  let close = () => notebook.close()
  try {
    if (notebook.trouble !== undefined) setup.onTrouble?.(notebook.trouble)
    // An unreadable journal is reported where it is needed.
    const recovery = await notebook.recoveryNotice().catch(() => undefined)
    if (recovery !== undefined) setup.onTrouble?.(recovery)
    const { searchKey } = settings.web
    const secrets = [...(setup.secrets ?? []), ...(searchKey ? [searchKey] : [])]
    const isShared = approvalOptions?.remote === true || setup.sharesApprovals === true
    const state = vaultState(notebook.stateDir, setup.onTrouble)
    const approvals = sharedApprovals({ state, onTrouble: setup.onTrouble })
    const host = {
      ...folderHost(notebook, { ...setup, secrets }),
      clientTaint: (name: string) => clientTaint(state, name),
    }
    const opened = vaultFromHost({
      host,
      settings,
      approvalOptions: isShared ? { ...approvalOptions, shared: approvals } : approvalOptions,
    })
    close = closeThen(opened.close, () => {
      approvals.close()
      state.close()
    })
    const vault = Object.assign(opened, { secrets, approvals, close, [Symbol.asyncDispose]: close })
    if (setup.startsServers) await applyServerSettings(vault, setup)
    return vault
  } catch (error) {
    await close()
    throw error
  }
}

function closeThen(close: () => Promise<void>, then: () => void): () => Promise<void> {
  return () => close().finally(then)
}

/**
 * Starts the servers in the current settings and stops those that were removed. A server that cannot be started is
 * reported and does not stop the others.
 */
export async function applyServerSettings(
  vault: FolderVault,
  {
    folders,
    surroundings,
    ...setup
  }: Pick<FolderVaultSetup, 'folders' | 'surroundings' | 'onServerLine' | 'onTrouble'>,
): Promise<void> {
  const { tools, mcpServers = {} } = vault.settings
  // Server tools are off until they are enabled, but the secrets of a server are masked before that.
  if (tools.enabled === undefined && Object.keys(mcpServers).length === 0 && vault.servers === undefined) return
  const { serverSecrets, serversToRun, startServers } = await import('./mcp-servers.js')
  const places = await serverSources({ root: vault.notebook.root, settings: vault.settings, folders, surroundings })
  const sent = await serverSecrets(places)
  vault.secrets.push(...sent.filter((secret) => !vault.secrets.includes(secret)))
  const start = {
    ...places,
    registry: vault.registry,
    approvalQueue: vault.approvalQueue,
    onLine: setup.onServerLine,
    onTrouble: (text: string) => setup.onTrouble?.(text),
  }
  if (vault.servers === undefined) vault.servers = await startServers(start)
  // `vault.servers` has the smaller type of the core; cast to call change().
  else await (vault.servers as ToolServers).change(await serversToRun(start))
}

type ServerSources = Pick<FolderVaultSetup, 'root' | 'settings' | 'folders' | 'surroundings'>

async function serverSources({ root, settings, folders, surroundings: { environment } }: ServerSources) {
  const { storedHeaders, serverApprovals } = await import('./mcp-servers.js')
  const headers = storedHeaders(secretStore({ environment, state: folders.state, vault: root }))
  return { root, settings, known: serverApprovals(folders.state), environment, headers }
}

/** Options of `openVault`. */
export interface OpenVaultOptions {
  /** Model to use where a question names none, as provider/model. Default: the one of the settings, or `offline`. */
  model?: string | undefined
  /** Your own tools, offered to models beside the built-in ones. */
  tools?: readonly Tool[] | undefined
  /** How the user is asked for approval by sessions that have no `approve` of their own. Default: not at all. */
  approvalOptions?: ApprovalQueueOptions | undefined
  /** In place of the process's own: keys, addresses, `NOTEWRIGHT_HOME`. */
  environment?: HostEnvironment['environment'] | undefined
  /** Receives the progress of reading changed notes. */
  onProgress?: ((progress: IndexProgress) => void) | undefined
  /** Receives problems that do not stop the vault from opening, as sentences for the user. */
  onTrouble?: ((text: string) => void) | undefined
  /** Stops opening. */
  signal?: AbortSignal | undefined
}

/**
 * Opens a folder of notes as the command line does: with the user's settings and an updated index. Without a path, the
 * vault comes from the settings or the current folder.
 */
export async function openVault(path?: string, options: OpenVaultOptions = {}): Promise<FolderVault> {
  const { environment = process.env, signal, onProgress, model, tools = [], approvalOptions, onTrouble } = options
  const surroundings = { ...processEnvironment(), environment }
  const folders = stateFolders(surroundings)
  const loaded = await readConfig({ file: folders.configFile, environment, flags: { vault: path, model } })
  const { root } = await findVault(requestedVault(loaded), surroundings)
  const vault = await openFolderVault({
    approvalOptions,
    onTrouble,
    root,
    settings: loaded.config,
    folders,
    surroundings,
    startsServers: true,
  })
  try {
    for (const tool of tools) vault.registry.register(tool, 'custom')
    await vault.notebook.update({ signal, onProgress, vectors: false })
    return vault
  } catch (error) {
    await vault.close()
    throw error
  }
}
