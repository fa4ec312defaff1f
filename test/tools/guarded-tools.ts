import * as z from 'zod'
import {
  type ApprovalAnswer,
  type ApprovalEvent,
  type ApprovalQueueOptions,
  type ApprovalRequest,
  approvalQueue,
  type ConsentLevel,
  type GuardOptions,
  guard,
  parseRule,
  ruleVocabulary,
  type SessionGuard,
} from '../../src/core/approval/index.js'
import { fileTools, searchTools } from '../../src/core/tools/built-in.js'
import {
  defineTool,
  memoryLog,
  type Registry,
  registry,
  runTool,
  type Tool,
  type ToolContext,
} from '../../src/core/tools/index.js'
import { type TestContext, testContext } from './call-tool.js'

export const webFetch = defineTool({
  name: 'web_fetch',
  title: 'Fetch page',
  description: 'Fetch a page.',
  activity: 'Fetching',
  category: 'media',
  effects: ['reaches-network'],
  input: z.object({ url: z.string() }),
  output: z.object({ text: z.string() }),
  reaches: async ({ url }) => ({ sends: [{ url }] }),
  run: async ({ url }) => {
    sent.push(url)
    return { text: 'a page' }
  },
  render: ({ text }) => text,
})

/** Requests to the web by all tests of a file. */
export const sent: string[] = []

interface Desk {
  tools: Registry
  context: TestContext
  guard: SessionGuard
  asked: ApprovalRequest[]
  /** Requests shown, and decisions. */
  events: ApprovalEvent[]
  log: ReturnType<typeof memoryLog>
  call(
    name: string,
    input: unknown,
    more?: { turn?: string; context?: Partial<ToolContext> },
  ): ReturnType<typeof runTool>
  text(path: string): string | undefined
}

export interface SetUp extends Partial<Omit<GuardOptions, 'rules' | 'level'>> {
  level?: ConsentLevel
  rules?: string[]
  notes?: Record<string, string>
  /** Answers in order, the last one repeated; an empty list means that nobody can be asked. */
  answers?: (
    | ApprovalAnswer
    | ((request: ApprovalRequest, context: TestContext) => ApprovalAnswer | Promise<ApprovalAnswer>)
  )[]
  more?: Tool[]
  approvals?: never
  deskOptions?: ApprovalQueueOptions
}

/** Real tools on a vault in memory, behind a guard, and a user who answers as told. */
export async function setUp({
  level = 'ask',
  rules = [],
  notes,
  answers,
  more = [],
  deskOptions,
  ...rest
}: SetUp = {}): Promise<Desk> {
  const context = await testContext(
    notes ?? {
      'Inbox/A.md': 'alpha\n\nbeta\n\ngamma\n',
      'Projects/Plan.md': '---\nstatus: done\n---\nThe plan #draft. See [[A]].\n',
      'Journal/Monday.md': 'Dear diary, the zebrafish. See [[Plan]].\n',
      'Clip.md': '---\nsource: https://news.test/1\n---\nClipped words.\n',
    },
  )
  const tools = registry([...fileTools, ...searchTools, webFetch, ...more])
  const vocabulary = ruleVocabulary(tools, ['calendar'])
  const asked: ApprovalRequest[] = []
  const left = [...(answers ?? [])]
  const desk = approvalQueue({
    ...deskOptions,
    ...(answers && {
      askPerson: async (panel) => {
        if (panel.kind === 'batch' || panel.kind === 'question') return undefined
        asked.push(panel)
        const next = left.length > 1 ? left.shift() : left[0]
        return typeof next === 'function' ? next(panel, context) : next
      },
    }),
  })
  const events: ApprovalEvent[] = []
  desk.listen(context.session, (event) => void events.push(event))
  const own = guard({
    level,
    rules: rules.map((text) => parseRule(text, vocabulary)),
    vocabulary,
    approvals: desk,
    ...rest,
  })
  const log = memoryLog()
  let calls = 0
  return {
    tools,
    context,
    guard: own,
    asked,
    events,
    log,
    call: (name, input, { turn = 't1', context: other } = {}) =>
      runTool(
        { id: `c${++calls}`, name, input, turn },
        { registry: tools, context: { ...context, ...other }, guard: own, log, apply: context.apply },
      ),
    text(path) {
      const bytes = context.memory.snapshot().get(path)
      return bytes && new TextDecoder().decode(bytes)
    },
  }
}
