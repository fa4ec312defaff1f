import * as z from 'zod'
import { type AgentEvent, type AgentSetup, type RunEnd, run, type Turn } from '../../src/core/agent/index.js'
import {
  type ApprovalAnswer,
  type ApprovalBatch,
  type ApprovalRequest,
  approvalQueue,
  type BatchAnswer,
  type ConsentLevel,
  guard,
  parseRule,
  ruleVocabulary,
} from '../../src/core/approval/index.js'
import { defaultProfile, type LanguageModelV3 } from '../../src/core/model/index.js'
import { fileTools, searchTools } from '../../src/core/tools/built-in.js'
import { defineTool, memoryLog, registry, type Tool, type ToolContext } from '../../src/core/tools/index.js'
import type { ScriptedStep } from '../doubles/scripted-model.js'
import { type TestContext, testContext } from '../tools/call-tool.js'
import { notes, type Scenario } from './scenarios.js'

export type Panel = ApprovalRequest | ApprovalBatch

type Answer = ApprovalAnswer | BatchAnswer | undefined

export interface Stage {
  notes?: Record<string, string>
  level?: ConsentLevel
  rules?: readonly string[]
  /** The user. Without one nobody can be asked. */
  asker?: (panel: Panel) => Answer | Promise<Answer>
  /** More tools than those that read and write notes. */
  more?: readonly Tool[]
  context?: Partial<ToolContext>
  /** Opens the vault with the notes; in memory by default. */
  openContext?: (notes: Record<string, string>, more?: Partial<ToolContext>) => Promise<PlayedOn>
  setup?: Partial<AgentSetup>
  /** Context that the model gets with the question. */
  beside?: Turn['context']
  onEvent?: (event: AgentEvent) => void
  /** Leaves the stream after this many events. */
  leaveAfter?: number
}

/** Tools, and a look at all notes there are. */
export type PlayedOn = Omit<TestContext, 'memory'> & { memory: Pick<TestContext['memory'], 'snapshot'> }

export interface Played {
  events: AgentEvent[]
  end: RunEnd
  log: ReturnType<typeof memoryLog>
  asked: Panel[]
  /** Whether a panel waits for an answer. */
  isAsking(): boolean
  /** Notes that are new or different, with their text; deleted ones are undefined. */
  changed: Record<string, string | undefined>
  /** The same at the moment of asking, for what may still happen. */
  changedByNow(): Played['changed']
}

/** Runs a turn with real tools on a vault in memory, behind the real guard. */
export async function playTurn(model: LanguageModelV3, text: string, stage: Stage = {}): Promise<Played> {
  const before = stage.notes ?? notes
  const context = await (stage.openContext ?? testContext)(before, stage.context)
  const tools = registry([...searchTools, ...fileTools, weighPumpkin, ...(stage.more ?? [])])
  const asked: Panel[] = []
  const { asker } = stage
  const desk = approvalQueue(
    asker && {
      askPerson: async (panel) => {
        if (panel.kind === 'question') return undefined
        asked.push(panel)
        return asker(panel)
      },
    },
  )
  const vocabulary = ruleVocabulary(tools, [])
  const rules = (stage.rules ?? []).map((rule) => parseRule(rule, vocabulary))
  const own = guard({ level: stage.level ?? 'ask', rules, vocabulary, approvals: desk })
  own.recordUserText(text)
  const log = memoryLog()
  const signal = stage.setup?.signal ?? new AbortController().signal
  const setup: AgentSetup = {
    model,
    modelName: 'scripted/model',
    profile: defaultProfile,
    tools: {
      registry: tools,
      context: { ...context, signal },
      guard: own,
      log,
      apply: context.apply,
    },
    toolset: tools.all().map(({ tool }) => tool),
    settings: { retry: { attempts: 1 } },
    approvals: (listener) => desk.listen(context.session, listener),
    ...stage.setup,
    signal,
  }
  const events: AgentEvent[] = []
  for await (const event of run({ id: 'turn-1', text, mode: 'agent', context: stage.beside }, setup)) {
    events.push(event)
    stage.onEvent?.(event)
    if (events.length === stage.leaveAfter) break
  }
  const changedByNow = () => changedNotes(before, context)
  const isAsking = () => desk.pending().length > 0
  return { events, end: events.at(-1) as RunEnd, log, asked, isAsking, changed: changedByNow(), changedByNow }
}

/** Plays a scenario with a model that speaks these steps. `open` is told what happens when a step is silence. */
export async function playScenario(
  scenario: Scenario,
  open: (steps: readonly ScriptedStep[], onSilence: () => void) => Promise<LanguageModelV3>,
  leaveAfter?: number,
  stage: Stage = {},
): Promise<Played> {
  const stop = new AbortController()
  const answers = [...(scenario.answers ?? [])]
  const onSilence = () => {
    // A user is never faster than the request.
    if (scenario.stops === 'while-silent') setTimeout(() => stop.abort(new Error('stopped')))
  }
  const model = await open(scenario.steps, onSilence)
  const played = await playTurn(model, scenario.ask, {
    ...stage,
    leaveAfter,
    asker() {
      if (scenario.stops === 'when-asked') stop.abort(new Error('stopped'))
      return answers.shift()
    },
    setup: { signal: stop.signal, ...(scenario.maxSteps && { maxSteps: scenario.maxSteps }) },
  })
  if (answers.length > 0 && leaveAfter === undefined)
    throw new Error(`${scenario.name}: the person was asked too seldom`)
  return played
}

/** A tool with a bug in it. */
const weighPumpkin = defineTool({
  name: 'weigh_pumpkin',
  title: 'Weigh pumpkin',
  description: 'Weigh the pumpkin.',
  activity: 'Weighing',
  category: 'custom',
  effects: ['reads'],
  input: z.object({}),
  output: z.object({ kilos: z.number() }),
  run: async () => {
    throw new TypeError('the scales are broken')
  },
  render: String,
})

function changedNotes(before: Record<string, string>, { memory }: PlayedOn): Played['changed'] {
  const now = new Map([...memory.snapshot()].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]))
  const paths = [...new Set([...Object.keys(before), ...now.keys()])]
  return Object.fromEntries(paths.filter((path) => now.get(path) !== before[path]).map((path) => [path, now.get(path)]))
}
