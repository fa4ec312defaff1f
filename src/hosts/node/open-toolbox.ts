import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import {
  type ApprovalDesk,
  type Asker,
  approvalDesk,
  type ConsentLevel,
  guard,
  parseRules,
  type Rule,
  type RuleVocabulary,
  ruleVocabulary,
  type SessionGuard,
} from '../../core/approval/index.js'
import type { Config } from '../../core/config/index.js'
import { type Clock, type Registry, redactor, type ToolSetup, type WebSearchSettings } from '../../core/tools/index.js'
import { folderOf, type NotePath } from '../../core/vault/index.js'
import { callsFolder, fileLog } from './call-log/index.js'
import type { FolderNotebook } from './open-notebook.js'
import { fileGrants, vaultRules } from './permissions/index.js'
import { fileTimers } from './timers/index.js'
import { dailyNoteSettings } from './vault-settings/index.js'
import { nodeWeb } from './web/index.js'

export interface ToolboxPlace {
  notebook: FolderNotebook
  config: Pick<Config, 'consent' | 'permissions' | 'web' | 'log'>
  /** Where the person's timers are kept. */
  stateFolder: string
  version: string
  registry: Registry
  offered: ReadonlySet<string>
}

export interface ToolboxSession {
  session: string
  signal: AbortSignal
  /** Unless told, as the settings say. */
  level?: ConsentLevel
  /** Rules for this run alone. */
  allow?: readonly string[]
  deny?: readonly string[]
  /** How the person is asked; without it nobody is. */
  asker?: Asker
  dryRun?: boolean
  /** Keys this process holds; they never reach the log. */
  secrets?: readonly string[]
  onStep?: ToolSetup['onStep']
  /** Told what could not be kept or read, in a sentence for the person. */
  onTrouble?(text: string): void
}

export interface Toolbox {
  setup: ToolSetup
  guard: SessionGuard
  desk: ApprovalDesk
  rules: readonly Rule[]
  vocabulary: RuleVocabulary
}

/** Everything a front end on Node needs to run tools: the notes, the policy, the log, the way out. */
export async function openToolbox(place: ToolboxPlace, session: ToolboxSession): Promise<Toolbox> {
  const { notebook, config, registry } = place
  const { onTrouble = () => {} } = session
  const vocabulary = ruleVocabulary(registry)
  const { allow, deny } = session
  const rules = parseRules(
    [
      { from: 'command line', allow, deny },
      { from: 'config', ...config.permissions },
      await vaultRules({ root: notebook.root, onTrouble }),
    ],
    vocabulary,
  )
  const desk = approvalDesk({ asker: session.asker })
  const webSearch = webSearchSettings(config.web)
  const own = guard({
    level: session.level ?? config.consent,
    rules,
    vocabulary,
    grants: fileGrants({ folder: notebook.stateDir, onTrouble }),
    desk,
    canonical: (path) => withoutLinks(notebook.root, path),
  })
  const setup: ToolSetup = {
    registry,
    offered: place.offered,
    guard: own,
    apply: notebook.apply,
    log: fileLog({
      folder: callsFolder(notebook.stateDir),
      redact: redactor({
        secrets: [...(session.secrets ?? []), ...(webSearch?.key ? [webSearch.key] : [])],
        hash: (bytes) => createHash('sha256').update(bytes).digest('hex'),
      }),
      maxBytes: config.log.megabytes * 1_000_000,
      onTrouble: (error) => onTrouble((error as Error).message),
    }),
    context: {
      vault: notebook.vault,
      index: notebook.index,
      clock: systemClock,
      settings: { dailyNotes: () => dailyNoteSettings(notebook.root), webSearch },
      web: nodeWeb({ userAgent: `Notewright/${place.version}` }),
      timers: fileTimers(place.stateFolder),
      session: session.session,
      signal: session.signal,
      report: () => {},
    },
    ...(session.dryRun && { dryRun: true }),
    ...(session.onStep && { onStep: session.onStep }),
  }
  return { setup, guard: own, desk, rules, vocabulary }
}

const systemClock: Clock = {
  now: () => new Date(),
  // Only when asked: it makes the runtime load its tables of languages, which takes longer than a search.
  get timeZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  },
}

function webSearchSettings({ searchEngine, searchUrl, searchKey }: Config['web']): WebSearchSettings | undefined {
  if (searchEngine === undefined) return undefined
  const url = searchUrl ?? (searchEngine === 'brave' ? 'https://api.search.brave.com/res/v1/web/search' : undefined)
  return url === undefined ? undefined : { engine: searchEngine, url, ...(searchKey && { key: searchKey }) }
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
