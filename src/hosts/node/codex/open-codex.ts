import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { LanguageModelV3 } from '../../../core/model/index.js'
import { cleanEnvironment } from './clean-environment.js'
import { codexModel } from './codex-model.js'
import { findCodex } from './find-codex.js'
import { readCodexTools } from './own-tools.js'
import { type ParkedTurns, parkedTurns } from './parked-turns.js'
import { type Supervisor, supervisor } from './supervisor.js'

export interface CodexPlace {
  environment: Readonly<Record<string, string | undefined>>
  /** Notewright's state folder. */
  state: string
  settings: CodexSettings
}

export interface CodexSettings {
  path?: string
  tools: readonly string[]
  environment: readonly string[]
}

/** How long Codex waits for the result of a call: a person may have to be asked first. */
const parkedMs = 30 * 60_000

interface Running {
  supervisor: Supervisor
  parked: ParkedTurns
}

/** One process for everyone who uses the same Codex in the same surroundings. */
const running = new Map<string, Running>()

/** A model of the person's Codex, by its name; the empty name is the one Codex itself would take. Starts nothing yet. */
export async function openCodex(modelId: string, place: CodexPlace): Promise<LanguageModelV3> {
  const { environment, settings, state } = place
  const allowed = readCodexTools(settings.tools)
  const command = await findCodex(environment, settings.path)
  const folder = join(state, 'codex-folder')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const clean = cleanEnvironment(environment, settings.environment)
  const { supervisor, parked } = sharedProcess(command, clean)
  return codexModel(modelId, { server: () => supervisor.server(), parked, allowed, folder })
}

function sharedProcess(command: string, environment: Record<string, string>): Running {
  const key = JSON.stringify([command, Object.entries(environment).sort()])
  const known = running.get(key)
  if (known !== undefined) return known
  const launch = async () => ({ command, arguments: ['app-server'], environment })
  const started = { supervisor: supervisor(launch), parked: parkedTurns(parkedMs) }
  running.set(key, started)
  return started
}
