import type { Mode } from '../agent/index.js'
import { parseRules, type Rule, ruleVocabulary, type SessionGuard, scopeRules } from '../approval/index.js'
import { type ModelSettings, settingsFor } from '../config/index.js'
import type { ModelMessage } from '../model/index.js'
import type { OpenedModel } from '../providers/index.js'
import { checkToolNames, type ToolSetup, type Toolset, toolset } from '../tools/index.js'
import { logRequest } from './egress/log-request.js'
import type { OpenedVault } from './opened-vault.js'
import type { WaitingTurn } from './record/resume-session.js'
import type { SessionRecord } from './record/session-record.js'
import type { SessionOptions } from './session.js'
import type { VaultHost } from './vault-host.js'
import { webSearchSettings } from './web-search-settings.js'

/** What the parts of a session work on, and what it remembers from turn to turn. */
export interface SessionParts {
  readonly id: string
  readonly vault: OpenedVault
  readonly host: VaultHost
  readonly options: SessionOptions
  readonly guard: SessionGuard
  /** As they were looked up last. */
  rules: readonly Rule[]
  mode: Mode
  modelName: string
  model?: Promise<OpenedModel>
  /** What each turn has brought to the conversation; of those that were summed up the last holds the summary. */
  turns: ModelMessage[][]
  /** The turn that goes on, or was the last. */
  turn?: string
  /** The provider's count of tokens by ours, as far as it was seen. */
  tokenRatio: number
  /** What part of the model's window can be used: less, once a request was refused as too long. */
  windowShare: number
  /** Gives the session a title while nobody asks anything. */
  titling?: { stop(): void }
  /** A turn of an earlier process that broke off while a person was being asked. */
  waiting?: WaitingTurn
  /** Absent: nothing of it is kept. */
  record?: SessionRecord
  /** Encloses the vault's wishes in every prompt of the session. */
  readonly mark: string
  /** Troubles that the person has heard of. */
  readonly told: Set<string>
  /** The turn that is going on. */
  running?: Promise<void>
  readonly closing: AbortController
}

/** The tools and rules as they are now: what came, went or was changed in the settings counts from here on. */
export async function lookUpTools(
  parts: SessionParts,
  signal: AbortSignal,
): Promise<{ setup: ToolSetup; toolset: Toolset }> {
  const { id, vault, host, options, guard } = parts
  const { settings, registry, notebook } = vault
  const { allow, deny, onTrouble = () => {} } = options
  checkToolNames(settings.tools, registry)
  const places = [
    { from: 'command line', allow, deny },
    { from: 'config', ...settings.permissions },
    await host.vaultRules(onTrouble),
  ]
  parts.rules = [...parseRules(places, ruleVocabulary(registry)), ...scopeRules(options.scope ?? {})]
  const tools = toolset(settings.tools, registry)
  const setup: ToolSetup = {
    registry,
    offered: tools.names,
    guard,
    apply: notebook.apply,
    log: host.log,
    context: {
      vault: notebook.vault,
      index: notebook.index,
      clock: host.clock,
      settings: { dailyNotes: host.dailyNotes, webSearch: webSearchSettings(settings.web) },
      web: host.web,
      timers: host.timers,
      session: id,
      signal,
      report: () => {},
    },
    ...(options.dryRun && { dryRun: true }),
    ...(options.onStep && { onStep: options.onStep }),
  }
  return { setup, toolset: tools }
}

/** The session's model, opened when it is first needed. */
export function openedModel(parts: SessionParts): Promise<OpenedModel> {
  // One that could not be opened is tried again: a key may have been set meanwhile.
  parts.model ??= openNamed(parts, parts.modelName).catch((error) => {
    parts.model = undefined
    throw error
  })
  return parts.model
}

export function openNamed(parts: SessionParts, name: string): Promise<OpenedModel> {
  const { host, options, vault } = parts
  const { window, stallSeconds } = modelSettings(parts, name)
  return host.openModel(name, options.dialect ?? vault.settings.dialect, {
    window,
    stallMs: stallSeconds * 1000,
    onRequest: (request) => logRequest(parts, request),
  })
}

/** How a model is used here: as this session was told, as the settings say of the model, and then of all. */
export function modelSettings({ options, vault }: SessionParts, name: string): ModelSettings {
  const told = settingsFor(name, vault.settings)
  return {
    window: options.window ?? told.window,
    stallSeconds: options.stallSeconds ?? told.stallSeconds,
    minutes: options.minutes ?? told.minutes,
    steps: options.maxSteps ?? told.steps,
    stream: options.stream ?? told.stream,
    temperature: options.temperature ?? told.temperature,
    thinking: options.thinking ?? told.thinking,
    instructions: options.instructions ?? told.instructions,
  }
}
