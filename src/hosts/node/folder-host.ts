import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Config } from '../../core/config/index.js'
import type { VaultHost } from '../../core/session/index.js'
import type { InstructionFolder } from '../../core/skills.js'
import {
  type Clock,
  type DailyNoteSettings,
  dailyNoteSettings,
  type Redact,
  type RedactorOptions,
  redactOnlySecrets,
  redactor,
  type Timer,
  type Timers,
} from '../../core/tools/index.js'
import { decodeNote, folderOf, type NotePath } from '../../core/vault/index.js'
import { type ModelEnvironment, openAgentModel, similarModels } from './agent-model.js'
import { approvedPrograms } from './approved-programs.js'
import { callLog } from './call-log.js'
import type { FileAccess } from './files/file-access.js'
import { insideFolder } from './files/inside-folder.js'
import { nodeFiles } from './files/node-files.js'
import { readRegular } from './folder-vault/read-files.js'
import { VaultFolders } from './folder-vault/vault-folders.js'
import type { FolderNotebook } from './open-notebook.js'
import { ownTools } from './own-tools.js'
import { storedGrants, vaultRules } from './permissions.js'
import { databaseSessions } from './sessions.js'
import { userState, usingDatabase, vaultState } from './state-database.js'
import type { HostEnvironment, StateFolders } from './state-folders.js'
import { version } from './version.js'
import { nodeWeb } from './web.js'

export interface FolderHostSetup {
  settings: Config
  folders: StateFolders
  surroundings: Pick<HostEnvironment, 'environment' | 'home'>
  /** Keys this process holds; they never reach the log. Keys added later are redacted from then on. */
  secrets?: readonly string[]
  /** Receives storage errors, as sentences for the user. */
  onTrouble?: ((text: string) => void) | undefined
}

/** The host of an opened vault: everything the core needs from this machine. */
export function folderHost(notebook: FolderNotebook, setup: FolderHostSetup): VaultHost & { notebook: FolderNotebook } {
  const { settings, folders, surroundings, onTrouble = () => {} } = setup
  const { root } = notebook
  const models = (dialect?: string): ModelEnvironment => ({
    ...surroundings,
    state: folders.state,
    vault: root,
    dialect,
    codex: settings.codex,
  })
  const { secrets = [] } = setup
  const state = vaultState(notebook.stateDir, onTrouble)
  return {
    notebook,
    clock: systemClock,
    timers: storedTimers(folders.state),
    web: nodeWeb({ userAgent: `Notewright/${version}` }),
    log: callLog({
      state,
      redact: growingRedactor(secrets, { hash: (bytes) => createHash('sha256').update(bytes).digest('hex') }),
      maxBytes: settings.log.megabytes * 1_000_000,
      onTrouble: (error) => onTrouble((error as Error).message),
    }),
    sessions: databaseSessions(state),
    redact: growingRedactor(secrets, redactOnlySecrets),
    grants: storedGrants({ folder: notebook.stateDir, onTrouble }),
    ownTools: ownTools(join(dirname(folders.configFile), 'tools'), approvedPrograms(folders.state), root).refresh,
    guides: folderGuides(root, dirname(folders.configFile)),
    dailyNotes: () => folderDailyNotes(root),
    vaultRules: (tell) => vaultRules({ root, onTrouble: tell }),
    canonical: (path) => withoutLinks(root, path),
    openModel: (name, dialect, wish) => openAgentModel(name, models(dialect), wish),
    nearModels: (name, failure, signal) => similarModels(name, failure, models(), signal),
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
    // A folder that is not there yet is resolved by the one above it.
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

const maxGuideBytes = 256 << 10
const maxInstructionBytes = 32 << 10

/** Skills, prompts and instructions in the user's config folder and in the vault's dot folders. */
interface FolderGuides {
  folders: readonly InstructionFolder[]
  /** The user's own `AGENTS.md`. */
  instructions(): Promise<string | undefined>
}

/** The user's own folders come first. */
export function folderGuides(root: string, configFolder: string): FolderGuides {
  const own = insideFolder(nodeFiles, configFolder)
  const vault = insideFolder(nodeFiles, root)
  const guide = (kind: InstructionFolder['kind'], from: InstructionFolder['from'], name: string): InstructionFolder => {
    const inside = from === 'person' ? own : vault
    return {
      kind,
      from,
      name,
      list: () => inside.list(name),
      read: (path) => inside.read(`${name}/${path}`, maxGuideBytes),
    }
  }
  return {
    folders: [
      guide('skills', 'person', 'skills'),
      guide('skills', 'vault', '.agents/skills'),
      guide('skills', 'vault', '.claude/skills'),
      guide('prompts', 'person', 'prompts'),
      guide('prompts', 'vault', '.agents/prompts'),
      guide('prompts', 'vault', '.claude/commands'),
    ],
    instructions: () => own.read('AGENTS.md', maxInstructionBytes),
  }
}

const configFolder = '.obsidian'
const configFile = 'daily-notes.json' as NotePath
const configLimit = 1 << 16

/** Obsidian's settings for daily notes of this vault. An unreadable setting counts as not set. */
export async function folderDailyNotes(root: string, files: FileAccess = nodeFiles): Promise<DailyNoteSettings> {
  return dailyNoteSettings(await configText(root, files))
}

async function configText(root: string, files: FileAccess): Promise<string> {
  try {
    const real = await files.realPath(root)
    if (real === undefined) return ''
    const text = await new VaultFolders(files, real).within(configFolder, async (folder) => {
      const stat = await files.stat(folder.open.at(configFile))
      if (stat === undefined) return undefined
      const file = await readRegular(files, { folder, name: configFile, path: configFile, stat }, configLimit)
      return file && decodeNote(file.bytes).text
    })
    return text ?? ''
  } catch {
    return ''
  }
}

/** A redactor for a list of secrets that grows, e.g. by a header the user has just entered. */
export function growingRedactor(secrets: readonly string[], options: Omit<RedactorOptions, 'secrets'>): Redact {
  let known = -1
  let redact: Redact
  return (value) => {
    if (secrets.length !== known) redact = redactor({ ...options, secrets })
    known = secrets.length
    return redact(value)
  }
}

/** Timers in the user's state, so that the next command still knows them. */
export function storedTimers(stateFolder: string): Timers {
  const state = userState(stateFolder)
  return {
    async get(name) {
      const row = usingDatabase(state, () =>
        state.look((driver) => driver.first('SELECT timer FROM timers WHERE name = ?', [name])),
      )
      const timer = parseTimer(row?.[0])
      return timer
    },
    async set(name, timer) {
      usingDatabase(state, () =>
        state.change((driver) => {
          if (timer === undefined) driver.run('DELETE FROM timers WHERE name = ?', [name])
          else driver.run('INSERT OR REPLACE INTO timers (name, timer) VALUES (?, ?)', [name, JSON.stringify(timer)])
        }),
      )
    },
  }
}

/** A timer that cannot be read is no timer: starting it again costs less than a failure. */
function parseTimer(text: unknown): Timer | undefined {
  try {
    const timer: unknown = JSON.parse(`${text}`)
    const { startedAt, minutes } = (timer ?? {}) as Partial<Timer>
    return Number.isFinite(startedAt) && Number.isFinite(minutes) ? (timer as Timer) : undefined
  } catch {
    return undefined
  }
}
