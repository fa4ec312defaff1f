import type { AgentEvent } from '../../src/core/agent/index.js'
import type { ModelMessage } from '../../src/core/model/index.js'
import type { ToolResult } from '../../src/core/tools/index.js'

/**
 * The one place that says in what two runs of a scenario may differ: ids, timings, usage, where deltas are cut, and
 * how a provider words its own failure.
 */
export function normaliseEvents(events: readonly AgentEvent[]): unknown[] {
  const ids = new Map<string, string>()
  const idOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `call ${ids.size + 1}`)
    return ids.get(id)!
  }
  const normalised: unknown[] = []
  let open: { type: string; text: string } | undefined
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      if (open?.type === event.type) open.text += event.text
      else normalised.push((open = { ...event }))
      continue
    }
    open = undefined
    normalised.push(normaliseEvent(event, idOf))
  }
  return normalised
}

function normaliseEvent(event: AgentEvent, idOf: (id: string) => string): unknown {
  switch (event.type) {
    case 'tool-call':
      return { ...event, call: { ...event.call, id: idOf(event.call.id) } }
    case 'tool-progress':
      return { ...event, callId: idOf(event.callId) }
    case 'tool-result':
      return {
        ...event,
        call: { ...event.call, id: idOf(event.call.id) },
        result: normaliseResult(event.result, idOf),
      }
    case 'approval-asked':
      return { type: event.type, kind: event.panel.kind }
    case 'approval-decided': {
      const { id: _, ...rest } = event
      return rest
    }
    case 'step-end':
      return { type: event.type, step: event.step }
    case 'messages':
      return { ...event, messages: event.messages.map((one) => normaliseMessage(one, idOf)) }
    case 'run-end': {
      const { usage: _, failure, messages, ...rest } = event
      const why = failure && { code: failure.code, kind: failure.data?.kind }
      return { ...rest, ...(why && { failure: why }), messages: messages.map((one) => normaliseMessage(one, idOf)) }
    }
    default:
      return event
  }
}

function normaliseResult(result: ToolResult, idOf: (id: string) => string): unknown {
  const { logId: _, callId, ...rest } = result
  if (!rest.ok) return { ...rest, callId: idOf(callId) }
  const { changeSet, ...done } = rest
  return { ...done, callId: idOf(callId), ...(changeSet && { changeSet: changeSet.title }) }
}

function normaliseMessage({ role, content }: ModelMessage, idOf: (id: string) => string): unknown {
  if (typeof content === 'string') return { role, content }
  return {
    role,
    content: content.map((part) => {
      const { providerOptions: _, ...rest } = part as { providerOptions?: unknown; toolCallId?: string }
      return rest.toolCallId === undefined ? rest : { ...rest, toolCallId: idOf(rest.toolCallId) }
    }),
  }
}
