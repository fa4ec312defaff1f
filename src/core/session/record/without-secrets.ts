import type { AgentEvent } from '../../agent/index.js'
import type { ModelMessage } from '../../model/index.js'
import type { Redact } from '../../tools/index.js'

/** An event as it is kept: complete, but for secrets. */
export function withoutSecrets(event: AgentEvent, redact: Redact): AgentEvent {
  const kept = redact(event) as AgentEvent
  if (kept.type !== 'messages' || event.type !== 'messages') return kept
  return { ...kept, messages: kept.messages.map((message, at) => withoutAlteredThoughts(message, event.messages[at])) }
}

/** A provider signs a model's thoughts, and refuses them when a word in them is another. */
function withoutAlteredThoughts(kept: ModelMessage, said: ModelMessage): ModelMessage {
  if (kept.role !== 'assistant' || typeof kept.content === 'string' || typeof said.content === 'string') return kept
  const textAt = (at: number) => (said.content[at] as { text?: string }).text
  const content = kept.content.filter((part, at) => part.type !== 'reasoning' || part.text === textAt(at))
  return content.length === kept.content.length ? kept : { ...kept, content }
}
