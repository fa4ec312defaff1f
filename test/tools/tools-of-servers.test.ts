import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { approvalQueue, guard, parseRule, ruleVocabulary } from '../../src/core/approval/index.js'
import {
  builtInTools,
  memoryLog,
  offeredName,
  registry,
  runTool,
  type Tool,
  type ToolResult,
  type ToolSetup,
} from '../../src/core/tools/index.js'
import { testContext } from './call-tool.js'

// Every pair of these could be mistaken for another by someone who takes names apart.
const servers = ['a', 'a_b', 'a__b', 'A']
const tools = ['b_c', 'c', 'b__c', '_c', '*c', 'c d']

const denied = ['mcp(a/b_c)', 'mcp(a_b/b__c)', 'mcp(A/c d)']
const allowed = ['mcp(a_b)', 'mcp(a/c)', 'mcp(a/*c)']

const isDenied = (server: string, tool: string) => denied.includes(`mcp(${server}/${tool})`)
const isAllowed = (server: string, tool: string) => server === 'a_b' || allowed.includes(`mcp(${server}/${tool})`)

type Moment = 'planning' | 'asking' | 'logging'
type Step =
  | { kind: 'connect'; server: string; tools: string[] }
  | { kind: 'leave'; server: string }
  | { kind: 'call'; server: string; tool: string; leaves?: { moment: Moment; server: string } }

const aServer = fc.constantFrom(...servers)
const aTool = fc.constantFrom(...tools)
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('connect' as const), server: aServer, tools: fc.subarray(tools, { minLength: 1 }) }),
  fc.record({ kind: fc.constant('leave' as const), server: aServer }),
  fc.record(
    {
      kind: fc.constant('call' as const),
      server: aServer,
      tool: aTool,
      leaves: fc.record({ moment: fc.constantFrom<Moment>('planning', 'asking', 'logging'), server: aServer }),
    },
    { requiredKeys: ['kind', 'server', 'tool'] },
  ),
)

describe('tools of servers that connect and disconnect during a session', () => {
  it('are offered, decided, logged and refused as their current version at every step', async () => {
    const context = await testContext({ 'A.md': 'a' })
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 1, maxLength: 30 }), async (steps) => {
        const session = openSession(context)
        const there = new Map<string, Set<string>>()
        for (const step of steps) {
          if (step.kind === 'connect') {
            session.connect(step.server, step.tools)
            there.set(step.server, new Set(step.tools))
          } else if (step.kind === 'leave') {
            session.leave(step.server)
            there.delete(step.server)
          } else await callAndCompare(step, there, session)
          expect(session.offered()).toEqual(
            [...there].flatMap(([server, own]) => [...own].map((tool) => offeredName({ server, tool }))).sort(),
          )
        }
        // The sum of all notifications equals the current list.
        expect([...session.heard].sort()).toEqual(session.offered())
      }),
      { numRuns: 300 },
    )
  })

  it('that are replaced during a request do not run on the approval of the old one', async () => {
    const session = openSession(await testContext({}))
    session.connect('A', ['c'])
    session.at.asking = () => session.connect('A', ['c'])
    const result = await session.call('A', 'c')
    expect(result).toMatchObject({ ok: false, code: 'conflict' })
    expect(session.ran).toEqual([])
    expect(session.log.calls.at(-1)).toMatchObject({ decision: 'refused', error: { code: 'conflict' } })
  })
})

type Session = ReturnType<typeof openSession>

async function callAndCompare(
  { server, tool, leaves }: Extract<Step, { kind: 'call' }>,
  there: Map<string, Set<string>>,
  session: Session,
): Promise<void> {
  const isThere = there.get(server)?.has(tool) === true
  const passes = !isDenied(server, tool)
  const isReached: Record<Moment, boolean> = {
    planning: isThere,
    asking: isThere && passes && !isAllowed(server, tool),
    logging: isThere && passes,
  }
  const hasLeft = leaves !== undefined && isReached[leaves.moment]
  if (leaves !== undefined) session.at[leaves.moment] = () => session.leave(leaves.server)
  const before = session.ran.length
  const result = await session.call(server, tool)
  session.at = {}
  if (hasLeft) there.delete(leaves.server)

  const row = session.log.calls.at(-1)!
  const isGone = hasLeft && leaves.server === server
  expect(row.tool_name).toBe(offeredName({ server, tool }))
  if (!isThere || (isGone && !(leaves.moment === 'logging'))) {
    expect(result).toMatchObject({ ok: false, code: 'unknown-tool' })
    expect(row).toMatchObject({ decision: 'refused', error: { code: 'unknown-tool' } })
  } else if (!passes) {
    expect(result).toMatchObject({ ok: false, code: 'denied' })
    expect(row).toMatchObject({ decision: 'denied', rule: `deny: mcp(${server}/${tool})` })
  } else {
    // The intent was on its way into the log when it left.
    expect(result.ok ? undefined : result.code).toBe(isGone ? 'unknown-tool' : undefined)
    expect(row.error?.code).toBe(isGone ? 'unknown-tool' : undefined)
    expect(row.decision).toBe(isAllowed(server, tool) ? 'allowed' : 'approved')
    if (isAllowed(server, tool)) {
      expect(row.rule).toBe(`allow: ${server === 'a_b' ? 'mcp(a_b)' : `mcp(${server}/${tool})`}`)
    }
  }
  expect(session.ran.slice(before)).toEqual(result.ok ? [`${server}/${tool}`] : [])
}

function openSession(context: Awaited<ReturnType<typeof testContext>>) {
  const all = registry(builtInTools)
  const ours = new Set(all.all().map(({ tool }) => tool.name))
  const heard = new Set<string>()
  all.onChange(({ came, went }) => {
    for (const { tool } of went) heard.delete(tool.name)
    for (const { tool } of came) heard.add(tool.name)
  })
  const ran: string[] = []
  const memory = memoryLog()
  const vocabulary = () => ruleVocabulary(all, servers)
  const session = {
    at: {} as Partial<Record<Moment, () => void>>,
    heard,
    ran,
    log: memory,
    connect: (server: string, names: readonly string[]) =>
      all.registerServer(
        server,
        names.map((name) => foreign(server, name)),
      ),
    leave: (server: string) => all.unregister(`mcp:${server}`),
    offered: () =>
      all
        .enabled(new Set(all.all().map(({ tool }) => tool.name)), { vault: true })
        .flatMap(({ name }) => (ours.has(name) ? [] : [name]))
        .sort(),
    call: (server: string, tool: string): Promise<ToolResult> =>
      runTool({ id: crypto.randomUUID(), name: offeredName({ server, tool }), input: {} }, setup),
  }
  function foreign(server: string, name: string): Tool {
    return {
      name,
      title: name,
      description: `${name}.`,
      activity: name,
      category: 'mcp',
      effects: ['destroys', 'reaches-network'],
      input: { jsonSchema: { type: 'object' } },
      async reaches() {
        session.at.planning?.()
        return {}
      },
      async run() {
        ran.push(`${server}/${name}`)
        return {}
      },
      render: () => 'done',
    }
  }
  const rules = (effect: 'allow' | 'deny', texts: string[]) =>
    texts.map((text) => parseRule(text, vocabulary(), { effect }))
  const setup: ToolSetup = {
    registry: all,
    context,
    apply: context.apply,
    log: {
      async intend(intent, options) {
        // Only what is about to happen is written before it does; a refusal has nothing to wait for.
        if (intent.decision === 'allowed' || intent.decision === 'approved') session.at.logging?.()
        return memory.intend(intent, options)
      },
      finish: memory.finish,
      callsOf: memory.callsOf,
      sending: memory.sending,
    },
    guard: guard({
      level: 'ask',
      rules: [...rules('allow', allowed), ...rules('deny', denied)],
      vocabulary,
      approvals: approvalQueue({
        askPerson: async () => {
          session.at.asking?.()
          return { verdict: 'allow' }
        },
      }),
    }),
  }
  return session
}
