import type { GrantStore, RuleTexts } from '../approval/index.js'
import type { Failure } from '../errors.js'
import type { GuideFolder } from '../guides/index.js'
import type { Notebook } from '../notebook/index.js'
import type { OpenedModel, OpenOptions } from '../providers/index.js'
import type { Clock, Redact, Registry, Timers, ToolLog, ToolSettings, Web } from '../tools/index.js'
import type { NotePath } from '../vault/index.js'
import type { SessionStore } from './store/session-store.js'

/** What a host gives an opened vault, and nothing above it asks for more. */
export interface VaultHost {
  notebook: Notebook
  /** Where a person decides about notes that a change was cut off at, as a sentence; on the command line unless told. */
  howToDecide?: string
  clock: Clock
  timers: Timers
  /** Absent where there is no network. */
  web?: Web
  log: ToolLog
  /** Where sessions are kept. */
  sessions: SessionStore
  /** Takes secrets out of what is kept of a session, and nothing else. */
  redact: Redact
  /** Decisions for always. */
  grants: GrantStore
  /** Brings tools that the person wrote into the registry, as they are now. Answers what is wrong with them. */
  ownTools?(registry: Registry): Promise<string[]>
  /** What says how to work, beside the notes. */
  guides?: { folders: readonly GuideFolder[]; instructions(): Promise<string | undefined> }
  dailyNotes: ToolSettings['dailyNotes']
  /** Rules the vault brings along; they can only restrict. Looked up for each turn; what is wrong with them is told. */
  vaultRules(onTrouble: (text: string) => void): Promise<RuleTexts>
  /** A note's path with links in the folders above it resolved. Hosts whose folders can be links give it. */
  canonical?: (path: NotePath) => Promise<string>
  /** Opens a model in the dialect it speaks. Fails when there is none of that name, no key or no address. */
  openModel(
    name: string,
    dialect: string,
    wish?: Pick<OpenOptions, 'window' | 'stallMs' | 'onRequest'>,
  ): Promise<OpenedModel>
  /** Where models are reached and with which keys, as one text: a session opens its model again when it is another. */
  modelSources?: () => string
  /** A language model is about to take a turn: tools that come from elsewhere are given a moment to come. */
  beforeTurn?(): Promise<void>
  /** Names the model may have been meant by, when its provider knows none of that name. */
  nearModels?(name: string, failure: Failure, signal: AbortSignal): Promise<string[]>
}
