import type { ApprovalQueueOptions } from '../../src/core/approval/index.js'
import { type Config, configSchema } from '../../src/core/config/index.js'
import { type OpenedVault, type Session, type SessionOptions, vaultFromHost } from '../../src/core/session/index.js'
import { builtInTools, type Registry, registry, type ToolSetup } from '../../src/core/tools/index.js'
import { folderHost } from '../../src/hosts/node/folder-host.js'
import type { FolderNotebook } from '../../src/hosts/node/open-notebook.js'
import { stateFolders } from '../../src/hosts/node/state-folders.js'

export interface SessionOn {
  vault: OpenedVault
  session: Session
  setup: ToolSetup
}

export interface SessionOnOptions extends Omit<SessionOptions, 'tools'> {
  /** Folder of timers and keys. */
  home: string
  settings?: Partial<Config>
  tools?: Registry
  approvalOptions?: ApprovalQueueOptions
  secrets?: readonly string[]
  signal?: AbortSignal
}

/** A session on a notebook that is open already, with every tool there is switched on. */
export async function sessionOn(notebook: FolderNotebook, options: SessionOnOptions): Promise<SessionOn> {
  const { home, tools = registry(builtInTools), approvalOptions, secrets, signal, onTrouble, ...rest } = options
  const environment = { NOTEWRIGHT_HOME: home }
  const surroundings = { environment, platform: process.platform, home, currentFolder: home }
  const enabled = tools.all().map(({ tool }) => tool.name)
  const settings = { ...configSchema.parse({ tools: { enabled } }), ...options.settings }
  const folders = stateFolders(surroundings)
  const host = folderHost(notebook, { settings, folders, surroundings, secrets, onTrouble })
  const vault = vaultFromHost({ host, settings, approvalOptions, tools })
  const session = await vault.openSession({ id: 'session', keep: false, ...rest, onTrouble })
  return { vault, session, setup: await session.toolSetup(signal) }
}
