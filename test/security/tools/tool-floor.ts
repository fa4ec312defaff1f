import { rmSync } from 'node:fs'
import { expect } from 'vitest'
import type {
  ApprovalAnswer,
  ApprovalBatch,
  ApprovalRequest,
  AskUser,
  ConsentLevel,
} from '../../../src/core/approval/index.js'
import type { Config } from '../../../src/core/config/index.js'
import { Failure, type FailureCode } from '../../../src/core/errors.js'
import type { OpenedVault, Session } from '../../../src/core/session/index.js'
import {
  builtInTools,
  type DoneCall,
  type FailedCall,
  type Registry,
  registry,
  runTool,
  type ToolCall,
  type ToolResult,
  type ToolSetup,
  type ToolStep,
  toolTracer,
  type Web,
} from '../../../src/core/tools/index.js'
import { vaultState } from '../../../src/hosts/node/state-database.js'
import { type SessionOnOptions, sessionOn } from '../../session/session-on.js'
import { type Floor, fastScratchFolder, openFloor } from '../floor.js'

/** A floor with the real toolbox on it: guard, log on the disk, and every built-in tool offered. */
export interface ToolFloor extends Floor {
  opened: OpenedVault
  session: Session
  setup: ToolSetup
  /** Every panel a user was shown, in order. */
  shown: (ApprovalRequest | ApprovalBatch)[]
  /** The complete error of the last call. */
  lastError(): string
  call(name: string, input: unknown, more?: Partial<ToolCall>): Promise<ToolResult>
  /** A call that is to succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: each tool answers something else, and checks say what
  done(name: string, input: unknown): Promise<DoneCall & { output: any }>
  /** A call that is to fail with this code. */
  refused(code: FailureCode, name: string, input: unknown): Promise<FailedCall>
  /** Rows of the log in the database after row `from`, one JSON object per line. */
  logged(from?: number): string
  loggedRows(): number
  /** Everything that was said to anyone: results, failures, panels, traces, and the log. */
  said(): string
  take(id: string): Promise<void>
}

export interface ToolOptions extends Pick<SessionOnOptions, 'allow' | 'deny' | 'dryRun' | 'secrets'> {
  level?: ConsentLevel
  session?: string
  /** How the user answers; nobody is there unless told. */
  answer?: 'yes' | 'no' | ((panel: ApprovalRequest, signal: AbortSignal) => Answer | Promise<Answer>)
  asker?: AskUser
  web?: Web
  signal?: AbortSignal
  config?: Partial<Config>
  registry?: Registry
}

type Answer = ApprovalAnswer | undefined

/** Opens a floor with its tools for the time of `use`, and takes everything away afterwards. */
export async function withTools(
  files: Record<string, string | Uint8Array>,
  options: ToolOptions,
  use: (floor: ToolFloor) => Promise<void>,
): Promise<void> {
  const base = fastScratchFolder()
  const floor = await openFloor(base, files)
  try {
    await floor.notebook.update({ vectors: false })
    await use(await toolFloor(floor, options))
  } finally {
    await floor.notebook.close()
    rmSync(base, { recursive: true, force: true })
  }
}

/** The tools of one session on a floor that is open already. */
export async function toolFloor(floor: Floor, options: ToolOptions = {}): Promise<ToolFloor> {
  const shown: ToolFloor['shown'] = []
  const heard: unknown[] = []
  const tools = options.registry ?? registry(builtInTools)
  const trace = toolTracer((line) => void heard.push(line))
  let lastError: unknown
  const onStep = (step: ToolStep) => {
    if (step.step === 'ended') lastError = step.error
    trace(step)
  }
  const { level, answer: _, asker: __, config, web, ...rest } = options
  const opened = await sessionOn(floor.notebook, {
    ...rest,
    id: options.session,
    consent: level,
    settings: config,
    tools,
    home: floor.home,
    approvalOptions: { askPerson: askerFor(options, shown) },
    onStep,
    onTrouble: (text) => void heard.push(text),
  })
  const { vault, session } = opened
  const setup = web ? { ...opened.setup, context: { ...opened.setup.context, web } } : opened.setup
  let calls = 0

  const logRows = (sql: string, values: number[] = []): unknown[][] => {
    const state = vaultState(floor.notebook.stateDir)
    const rows = state.look((driver) => driver.all(sql, values)) ?? []
    state.close()
    return rows
  }
  const self: ToolFloor = {
    ...floor,
    opened: vault,
    session,
    setup,
    shown,
    lastError: () => wordsOf(lastError),
    async call(name, input, more) {
      const result = await runTool({ id: `call ${++calls}`, name, input, ...more }, setup)
      heard.push(result.ok ? result : { ...result, error: wordsOf(lastError) })
      return result
    },
    async done(name, input) {
      const result = await self.call(name, input)
      if (!result.ok) throw new Error(`${name} failed: ${result.code} ${result.text} ${wordsOf(lastError)}`)
      return result
    },
    async refused(code, name, input) {
      const result = await self.call(name, input)
      expect({ ok: result.ok, code: result.ok ? '' : result.code, text: result.text }).toMatchObject({
        ok: false,
        code,
      })
      return result as FailedCall
    },
    logged: (from = 0) =>
      logRows('SELECT kind, row, outcome FROM call_log WHERE n > ? ORDER BY n', [from])
        .map(([kind, row, outcome]) => ({ kind, ...JSON.parse(`${row}`), outcome: JSON.parse(`${outcome}`) }))
        .map((row) => JSON.stringify(row))
        .join('\n'),
    loggedRows: () => Number(logRows('SELECT max(n) FROM call_log')[0]?.[0] ?? 0),
    said: () => JSON.stringify([heard, shown], withBytesAsText) + self.logged(),
    async take(id) {
      await floor.notebook.apply(await floor.notebook.planUndo({ id }))
    },
  }
  return self
}

function askerFor({ answer, asker }: ToolOptions, shown: ToolFloor['shown']): AskUser | undefined {
  if (answer === undefined && asker === undefined) return undefined
  const one = async (panel: ApprovalRequest, signal: AbortSignal): Promise<Answer> => {
    if (typeof answer === 'function') return answer(panel, signal)
    return answer === 'yes'
      ? { verdict: 'allow', scope: 'once', ...(panel.pick && { picked: panel.pick }) }
      : { verdict: 'deny' }
  }
  return async (panel, signal) => {
    if (panel.kind === 'question') return undefined
    shown.push(panel)
    if (asker !== undefined) return asker(panel, signal)
    if (panel.kind !== 'batch') return one(panel, signal)
    const answers: Record<string, ApprovalAnswer> = {}
    for (const request of panel.requests) answers[request.id] = (await one(request, signal)) ?? { verdict: 'deny' }
    return { verdict: 'each', answers }
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Failure) return `${error.message} ${JSON.stringify(error.details)}`
  return error instanceof Error ? `${error.stack}` : `${error}`
}

/** Planned bytes would hide from a search for text in them. */
function withBytesAsText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : value
}
