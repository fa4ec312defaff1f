import type { ToolStep } from './run/index.js'
import { type TraceStep, traceLines } from './trace-lines.js'

/** Hears the steps of `runTool` and writes the lines of `--verbose`, without their prefix. */
export function toolTracer(write: (line: string) => void): (step: ToolStep) => void {
  const inputs = new Map<string, unknown>()
  return (step) => {
    for (const line of traceSteps(step, inputs).flatMap(traceLines)) write(line)
  }
}

function traceSteps(step: ToolStep, inputs: Map<string, unknown>): TraceStep[] {
  switch (step.step) {
    case 'requested':
      return [step]
    case 'proposed':
      return []
    case 'ruled': {
      const { callId, input, tool } = step.proposed
      const ruled = ruling(tool.name, step.ruling)
      if (step.ruling.verdict === 'deny') return [ruled]
      inputs.set(callId, input)
      return [ruled, { step: 'executing', tool: tool.name, input }]
    }
    case 'ended': {
      const { callId, name: tool } = step.result
      const input = inputs.get(callId)
      inputs.delete(callId)
      if (!step.result.ok) return [{ step: 'failed', tool, code: step.result.code, error: step.error }]
      return [{ step: 'completed', tool, input, output: step.result.output }]
    }
  }
}

function ruling(tool: string, { verdict, rule, ...more }: Extract<ToolStep, { step: 'ruled' }>['ruling']): TraceStep {
  if (verdict === 'deny') return rule === 'person' ? { step: 'cancelled', tool } : { step: 'denied', tool, rule }
  const decision = 'decision' in more ? more.decision : 'allowed'
  return decision === 'allowed' ? { step: 'allowed', tool, rule } : { step: decision, tool }
}
