import type { FixtureResponse } from '@copilotkit/aimock'
import type { ScriptedStep } from '../doubles/scripted-model.js'

/** The response of the mock server that makes a provider send this step. */
export function mockResponse(
  provider: string,
  { say, think, call = [] }: Extract<ScriptedStep, { say?: string }>,
): FixtureResponse {
  const reasoning = think === undefined ? {} : { reasoning: think }
  if (call.length === 0) return { content: say ?? '', ...reasoning, finishReason: 'stop' }
  const toolCalls = call.map(({ name, input }) => ({ name, arguments: JSON.stringify(input) }))
  // Without it the mock ends Gemini's calls with a reason of its own.
  const finishReason = provider.startsWith('gemini') ? 'stop' : 'tool_calls'
  return { ...(say !== undefined && { content: say }), ...reasoning, toolCalls, finishReason } as FixtureResponse
}
