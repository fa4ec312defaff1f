import type { JsonObject, ReaderEvent } from './reader-event.js'

/** A whole reply, read. */
export interface Reply {
  text: string
  /** Reasoning blocks, trimmed and joined by line breaks. */
  reasoning: string
  calls: { name: string; arguments: JsonObject }[]
  errors: { kind: 'malformed' | 'unknown-tool'; name?: string; message: string }[]
}

/** Puts events together to a reply. */
export function replyBuilder(): { add(event: ReaderEvent): void; finish(): Reply } {
  // In the order they came, since text may turn out to have been reasoning.
  let passages: { isReasoning: boolean; parts: string[] }[] = []
  const calls: Reply['calls'] = []
  const errors: Reply['errors'] = []
  const passage = (isReasoning: boolean, isNew: boolean): { parts: string[] } => {
    const last = passages[passages.length - 1]
    if (!isNew && last?.isReasoning === isReasoning) return last
    const added = { isReasoning, parts: [] }
    passages.push(added)
    return added
  }
  return {
    add(event) {
      switch (event.type) {
        case 'text':
          passage(false, false).parts.push(event.text)
          return
        case 'reasoning-start':
          passage(true, true)
          return
        case 'reasoning':
          passage(true, false).parts.push(event.text)
          return
        case 'text-was-reasoning':
          passages = passages.map(({ parts }) => ({ isReasoning: true, parts }))
          return
        case 'call':
          calls.push({ name: event.name, arguments: event.arguments })
          return
        case 'error': {
          const { kind, name, message } = event
          errors.push({ kind, ...(name === undefined ? {} : { name }), message })
          return
        }
        case 'reasoning-end':
          return
        default:
          event satisfies never
      }
    },
    finish() {
      const text = passages.filter(({ isReasoning }) => !isReasoning).flatMap(({ parts }) => parts)
      const blocks = passages.filter(({ isReasoning }) => isReasoning).map(({ parts }) => parts.join('').trim())
      return { text: text.join(''), reasoning: blocks.filter((block) => block !== '').join('\n'), calls, errors }
    },
  }
}
