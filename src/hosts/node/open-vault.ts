import type { DeskOptions } from '../../core/approval/index.js'
import { type OpenedVault, openedVault } from '../../core/session/index.js'
import type { IndexProgress } from '../../core/vault-index/index.js'
import { readConfig } from './config/index.js'
import { findVault, vaultWish } from './find-vault/index.js'
import { type FolderHostSetup, folderHost } from './folder-host.js'
import { type FolderNotebook, type OpenOptions, openNotebook } from './open-notebook.js'
import { processSurroundings, type Surroundings, stateFolders } from './state/index.js'

/** A vault that is a folder of this machine. */
export type FolderVault = OpenedVault<FolderNotebook>

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
  const vault = openedVault({ host: folderHost(notebook, setup), settings, desk })
  // Tools of servers are off until someone names them.
  if (setup.startsServers && settings.tools.enabled !== undefined) await start(vault, setup)
  return vault
}

/** A server that cannot be started is told, and no reason not to open the vault. */
async function start(vault: FolderVault, { root, folders, surroundings, ...setup }: FolderVaultSetup): Promise<void> {
  const { knownServers, startServers } = await import('./mcp/index.js')
  vault.servers = await startServers({
    root,
    settings: setup.settings,
    registry: vault.registry,
    desk: vault.desk,
    known: knownServers(folders.state),
    environment: surroundings.environment,
    onLine: setup.onServerLine,
    onTrouble: (text) => setup.onTrouble?.(text),
  })
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
