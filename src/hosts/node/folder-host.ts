import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Config } from '../../core/config/index.js'
import type { VaultHost } from '../../core/session/index.js'
import { type Clock, whole } from '../../core/tools/index.js'
import { folderOf, type NotePath } from '../../core/vault/index.js'
import { type ModelSurroundings, nearModels, openAgentModel } from './agent/index.js'
import { callsFolder, fileLog } from './call-log/index.js'
import { growingRedactor } from './growing-redactor.js'
import { folderGuides } from './guides/index.js'
import type { FolderNotebook } from './open-notebook.js'
import { ownTools } from './own-tools/index.js'
import { fileGrants, vaultRules } from './permissions/index.js'
import { vaultSessions } from './sessions/index.js'
import type { StateFolders, Surroundings } from './state/index.js'
import { fileTimers } from './timers/index.js'
import { folderDailyNotes } from './vault-settings/index.js'
import { version } from './version.js'
import { nodeWeb } from './web/index.js'

export interface FolderHostSetup {
  settings: Config
  folders: StateFolders
  surroundings: Pick<Surroundings, 'environment' | 'home'>
  /** Keys this process holds; they never reach the log. What is added later counts from then on. */
  secrets?: readonly string[]
  /** Told what could not be kept or read, in a sentence for the person. */
  onTrouble?(text: string): void
}

/** What this machine gives an opened vault. */
export function folderHost(notebook: FolderNotebook, setup: FolderHostSetup): VaultHost & { notebook: FolderNotebook } {
  const { settings, folders, surroundings, onTrouble = () => {} } = setup
  const { root } = notebook
  const models = (dialect?: string): ModelSurroundings => ({
    ...surroundings,
    state: folders.state,
    vault: root,
    dialect,
    codex: settings.codex,
  })
  const { secrets = [] } = setup
  return {
    notebook,
    clock: systemClock,
    timers: fileTimers(folders.state),
    web: nodeWeb({ userAgent: `Notewright/${version}` }),
    log: fileLog({
      folder: callsFolder(notebook.stateDir),
      redact: growingRedactor(secrets, { hash: (bytes) => createHash('sha256').update(bytes).digest('hex') }),
      maxBytes: settings.log.megabytes * 1_000_000,
      onTrouble: (error) => onTrouble((error as Error).message),
    }),
    sessions: vaultSessions(notebook.stateDir, onTrouble),
    redact: growingRedactor(secrets, whole),
    grants: fileGrants({ folder: notebook.stateDir, onTrouble }),
    ownTools: ownTools(join(dirname(folders.configFile), 'tools'), root).refresh,
    guides: folderGuides(root, dirname(folders.configFile)),
    dailyNotes: () => folderDailyNotes(root),
    vaultRules: (tell) => vaultRules({ root, onTrouble: tell }),
    canonical: (path) => withoutLinks(root, path),
    openModel: (name, dialect, wish) => openAgentModel(name, models(dialect), wish),
    nearModels: (name, failure, signal) => nearModels(name, failure, models(), signal),
  }
}

const systemClock: Clock = {
  now: () => new Date(),
  // Only when asked: it makes the runtime load its tables of languages, which takes longer than a search.
  get timeZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  },
}

/** A note's path with links in the folders above it resolved, so that a link cannot make a rule look elsewhere. */
async function withoutLinks(root: string, path: NotePath): Promise<string> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const missing: string[] = []
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const real = await realpath(join(root, folder)).catch(() => undefined)
    if (real !== undefined) {
      const inside = relative(root, real)
        .split(sep)
        .filter((part) => part !== '')
      return [...inside, ...missing, name].join('/')
    }
    missing.unshift(folder.slice(folder.lastIndexOf('/') + 1))
  }
}
