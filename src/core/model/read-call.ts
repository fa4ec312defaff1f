import type { StepCall } from './step-event.js'

interface CallPart {
  toolCallId?: string
  toolName?: string
  input?: unknown
  invalid?: boolean
  providerMetadata?: Record<string, Record<string, unknown>>
}

/**
 * One call from the SDK. Arguments that are not JSON stay what they are, with a sentence the model can act on.
 * Middleware that could not read a call says why itself, in `providerMetadata.notewright.error`.
 */
export function readCall(part: CallPart, taken: Set<string>): StepCall {
  const { toolCallId, toolName = '', input, invalid } = part
  const id = freeId(toolCallId, taken)
  const name = toolName.trim()
  const said = part.providerMetadata?.notewright?.error
  if (typeof said === 'string') return { id, name, input: input ?? {}, error: said }
  // The SDK marks a call invalid when nobody offered the tool, too. That is for whoever runs tools to say.
  if (!invalid || typeof input !== 'string') return { id, name, input: input ?? {} }
  if (input.trim() === '') return { id, name, input: {} }
  const problem = problemOf(input)
  if (problem === undefined) return { id, name, input: JSON.parse(input) }
  return {
    id,
    name,
    input,
    error: `The arguments of ${name} are not valid JSON (${problem}). Call it again with valid JSON.`,
  }
}

function problemOf(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    // The engine quotes the text; where it breaks is enough.
    const place = /position (\d+)/.exec((error as Error).message)?.[1]
    return place === undefined || Number(place) >= text.length ? 'it ends too early' : `at character ${place}`
  }
}

/** Some servers give every call the same id, or none. */
function freeId(given: string | undefined, taken: Set<string>): string {
  const base = given?.trim() || `call-${crypto.randomUUID()}`
  let id = base
  for (let count = 2; taken.has(id); count++) id = `${base}-${count}`
  taken.add(id)
  return id
}
