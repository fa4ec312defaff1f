import { Failure } from '../../src/core/errors.js'
import { memoryStore } from '../../src/core/index/memory-store.js'
import { openVaultIndex } from '../../src/core/index/vault-index.js'
import type { Decision, Guard } from '../../src/core/tools/guard.js'
import { registry } from '../../src/core/tools/registry.js'
import { runTool } from '../../src/core/tools/run/run-tool.js'
import type { DoneCall, FailedCall } from '../../src/core/tools/run/tool-call.js'
import type { Provenance, Tool } from '../../src/core/tools/tool.js'
import type { Timer, ToolContext } from '../../src/core/tools/tool-context.js'
import { outputSchema, schemaReasons } from '../../src/core/tools/tool-input.js'
import { memoryLog } from '../../src/core/tools/tool-log.js'
import { type AppliedChangeSet, type ChangeSet, type MemoryVault, memoryVault } from '../../src/core/vault/index.js'

/**
 * Calls a tool as a front end does, with a guard that allows everything or makes the given decisions. Throws if the
 * result does not fit the tool's output schema.
 */
export async function callTool(tool: Tool, input: unknown, context: TestContext, ...rulings: Decision[]) {
  const setup = { registry: registry([tool]), context, guard: openGuard(...rulings), log: memoryLog() }
  const result = await runTool({ id: 'call', name: tool.name, input }, { ...setup, apply: context.apply })
  const wrong = result.ok ? schemaReasons({ jsonSchema: outputSchema(tool)! }, jsonOf(result.output)) : []
  if (wrong.length > 0) throw new Error(`${tool.name} answers what it does not declare: ${wrong.join(', ')}`)
  return result
}

const jsonOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Calls a tool and expects success. */
export async function answerOf(
  tool: Tool,
  input: unknown,
  context: TestContext,
  ...rulings: Decision[]
  // biome-ignore lint/suspicious/noExplicitAny: each tool answers something else, and tests say what
): Promise<DoneCall & { output: any }> {
  const result = await callTool(tool, input, context, ...rulings)
  if (!result.ok) throw new Failure(result.code, result.text)
  return result
}

/** Calls a tool and expects a failure. */
export async function failureOf(tool: Tool, input: unknown, context: TestContext): Promise<FailedCall> {
  const result = await callTool(tool, input, context)
  if (result.ok) throw new Error(`${tool.name} did not fail: ${result.text}`)
  return result
}

/** A guard that allows everything, or makes the given decisions. It records what came into the conversation. */
export function openGuard(...rulings: Decision[]): Guard & { observed: Provenance[] } {
  const observed: Provenance[] = []
  return {
    observed,
    decide: async () => rulings.shift() ?? { verdict: 'allow', loggedAs: 'allowed', rule: 'test' },
    findDenial: async () => undefined,
    filterVisible: (context) => context,
    observe: (provenance) => void observed.push(...provenance),
  }
}

export interface TestContext extends ToolContext {
  memory: MemoryVault
  apply: (changes: ChangeSet) => Promise<AppliedChangeSet>
}

/** A vault in memory with its index, for the tests of tools. `more` replaces parts: a clock, a web. */
export async function testContext(
  notes: Record<string, string | Uint8Array>,
  more: Partial<ToolContext> = {},
): Promise<TestContext> {
  const memory = memoryVault({ files: notes })
  const index = await openVaultIndex({ vault: memory, store: memoryStore() })
  await index.readChanges()
  const timers = new Map<string, Timer>()
  return {
    memory,
    vault: memory,
    index: {
      ...index,
      async planMove(...given) {
        await index.readChanges()
        return index.planMove(...given)
      },
      async update() {
        await index.readChanges()
        const { notes, chunks, links } = await index.counts()
        return { notes, chunks, links, skipped: await index.skipped(), ms: 0 }
      },
    },
    clock: { now: () => new Date('2024-01-15T12:00:00Z'), timeZone: 'UTC' },
    settings: { dailyNotes: async () => ({ folder: '', format: 'YYYY-MM-DD' }) },
    timers: {
      get: async (name) => timers.get(name),
      async set(name, timer) {
        timer === undefined ? timers.delete(name) : timers.set(name, timer)
      },
    },
    changes: { history: () => memory.history(), planUndo: (target) => memory.planUndo(target) },
    session: 'test',
    signal: new AbortController().signal,
    report: () => {},
    async apply(changes) {
      const applied = await memory.apply(changes)
      await index.readChanges()
      return applied
    },
    ...more,
  }
}
