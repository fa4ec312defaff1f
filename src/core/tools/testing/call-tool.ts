import { Failure } from '../../errors.js'
import type { Ruling } from '../guard.js'
import { foreignReasons } from '../input/foreign-schema.js'
import { outputSchema } from '../input/index.js'
import { registry } from '../registry.js'
import { type DoneCall, type FailedCall, runTool } from '../run/index.js'
import type { Tool } from '../tool.js'
import { memoryLog } from '../tool-log.js'
import { openGuard } from './open-guard.js'
import type { TestContext } from './test-context.js'

/**
 * Calls a tool as a front end does, with a guard that lets everything pass or rules as told. What it answers fits what
 * it declares, as a client would check it.
 */
export async function callTool(tool: Tool, input: unknown, context: TestContext, ...rulings: Ruling[]) {
  const setup = { registry: registry([tool]), context, guard: openGuard(...rulings), log: memoryLog() }
  const result = await runTool({ id: 'call', name: tool.name, input }, { ...setup, apply: context.apply })
  const wrong = result.ok ? foreignReasons({ jsonSchema: outputSchema(tool)! }, jsonOf(result.output)) : []
  if (wrong.length > 0) throw new Error(`${tool.name} answers what it does not declare: ${wrong.join(', ')}`)
  return result
}

const jsonOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The same, for a call that is to succeed. */
export async function answerOf(
  tool: Tool,
  input: unknown,
  context: TestContext,
  ...rulings: Ruling[]
  // biome-ignore lint/suspicious/noExplicitAny: each tool answers something else, and tests say what
): Promise<DoneCall & { output: any }> {
  const result = await callTool(tool, input, context, ...rulings)
  if (!result.ok) throw new Failure(result.code, result.text)
  return result
}

/** The same, for a call that is to fail. */
export async function failureOf(tool: Tool, input: unknown, context: TestContext): Promise<FailedCall> {
  const result = await callTool(tool, input, context)
  if (result.ok) throw new Error(`${tool.name} did not fail: ${result.text}`)
  return result
}
