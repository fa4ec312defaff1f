import type { DeskOptions } from '../../core/approval/index.js'
import type { ToolServers } from '../../core/mcp/index.js'
import { type OpenedVault, openedVault } from '../../core/session/index.js'
import type { IndexProgress } from '../../core/vault-index/index.js'
import { readConfig } from './config/index.js'
import { findVault, vaultWish } from './find-vault/index.js'
import { type FolderHostSetup, folderHost } from './folder-host.js'
import { secretStore } from './keys/index.js'
import { type FolderNotebook, type OpenOptions, openNotebook } from './open-notebook.js'
import { processSurroundings, type Surroundings, stateFolders } from './state/index.js'

/** A vault that is a folder of this machine. */
export interface FolderVault extends OpenedVault<FolderNotebook> {
  /** What never reaches the log. Whatever becomes known later is added. */
  readonly secrets: string[]
}

export interface FolderVaultSetup extends FolderHostSetup, Omit<OpenOptions, 'surroundings'> {
  /** Real path of the vault's folder. */
  root: string
  /** How people are asked; without it nobody is. */
  desk?: DeskOptions
  /** The person's MCP servers are started, behind. */
  startsServers?: boolean
  /** Lines that those servers write to their standard error. */
  onServerLine?(server: string, line: string): void
}

export async function openFolderVault(setup: FolderVaultSetup): Promise<FolderVault> {
  const { root, settings, folders, desk } = setup
  const notebook = await openNotebook({ root, config: settings, folders }, setup)
  if (notebook.trouble !== undefined) setup.onTrouble?.(notebook.trouble)
  const { searchKey } = settings.web
  const secrets = [...(setup.secrets ?? []), ...(searchKey ? [searchKey] : [])]
  const opened = openedVault({ host: folderHost(notebook, { ...setup, secrets }), settings, desk })
  const vault = Object.assign(opened, { secrets })
  if (setup.startsServers) await takeUpServers(vault, setup)
  return vault
}

/**
 * Starts the servers that its settings name now, and ends those they no longer do. One that cannot be started is told,
 * and no reason not to go on.
 */
export async function takeUpServers(
  vault: FolderVault,
  {
    folders,
    surroundings,
    ...setup
  }: Pick<FolderVaultSetup, 'folders' | 'surroundings' | 'onServerLine' | 'onTrouble'>,
): Promise<void> {
  const { tools, mcpServers = {} } = vault.settings
  // Tools of servers are off until someone names them. What a server is sent is a secret before that.
  if (tools.enabled === undefined && Object.keys(mcpServers).length === 0 && vault.servers === undefined) return
  const { serverSecrets, serversToRun, startServers } = await import('./mcp/index.js')
  const places = await placesOf({ root: vault.notebook.root, settings: vault.settings, folders, surroundings })
  const sent = await serverSecrets(places)
  vault.secrets.push(...sent.filter((secret) => !vault.secrets.includes(secret)))
  const start = {
    ...places,
    registry: vault.registry,
    desk: vault.desk,
    onLine: setup.onServerLine,
    onTrouble: (text: string) => setup.onTrouble?.(text),
  }
  if (vault.servers === undefined) vault.servers = await startServers(start)
  // What a vault shows of its servers is less than what starts them here.
  else await (vault.servers as ToolServers).change(await serversToRun(start))
}

type Place = Pick<FolderVaultSetup, 'root' | 'settings' | 'folders' | 'surroundings'>

async function placesOf({ root, settings, folders, surroundings: { environment } }: Place) {
  const { keptHeaders, knownServers } = await import('./mcp/index.js')
  const headers = keptHeaders(secretStore({ environment, state: folders.state, vault: root }))
  return { root, settings, known: knownServers(folders.state), environment, headers }
}

export interface OpenVaultOptions extends Pick<FolderVaultSetup, 'desk' | 'onTrouble'> {
  /** In place of the process's own: keys, addresses, `NOTEWRIGHT_HOME`. */
  environment?: Surroundings['environment']
  onProgress?: (progress: IndexProgress) => void
  signal?: AbortSignal
}

/**
 * Opens a folder of notes as the command line does: with the person's settings, and the index brought up to date. Without
 * a path, the vault that the settings or the current folder name.
 */
export async function openVault(path?: string, options: OpenVaultOptions = {}): Promise<FolderVault> {
  const { environment = process.env, signal, onProgress, ...rest } = options
  const surroundings = { ...processSurroundings(), environment }
  const folders = stateFolders(surroundings)
  const loaded = await readConfig({ file: folders.configFile, environment, flags: { vault: path } })
  const { root } = await findVault(vaultWish(loaded), surroundings)
  const vault = await openFolderVault({
    ...rest,
    root,
    settings: loaded.config,
    folders,
    surroundings,
    startsServers: true,
  })
  try {
    await vault.notebook.update({ signal, onProgress, vectors: false })
    return vault
  } catch (error) {
    await vault.close()
    throw error
  }
}
