import type { AgentEvent } from '../../../core/agent/index.js'
import { traceLines } from '../../../core/tools/index.js'
import { type Terminal, visibleLine, visibleText } from '../terminal/index.js'

/** What went wrong between us and the model, for `--verbose`; of what nobody expected also where. */
export function traceTurn(event: AgentEvent, { trace }: Pick<Terminal, 'trace'>): void {
  for (const line of linesFor(event)) trace(visibleText(line))
}

function linesFor(event: AgentEvent): string[] {
  if (event.type === 'retrying') return traceLines({ step: 'stream-error', text: visibleLine(event.why) })
  if (event.type !== 'run-end' || event.failure === undefined) return []
  const { text, data } = event.failure
  const stack = typeof data?.stack === 'string' ? data.stack : undefined
  return traceLines({ step: 'stream-error', text: visibleLine(text), stack })
}
