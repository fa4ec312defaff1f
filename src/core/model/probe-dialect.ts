import type { Failure } from '../errors.js'
import { askModel } from './ask-model.js'
import { modelFailureData } from './model-failure.js'
import type { OfferedTool } from './model-request.js'
import type { Profile } from './profile.js'
import type { ReplyCall } from './reply-event.js'
import type { LanguageModelV3 } from './sdk.js'

/** A way of calling tools to try: `native` leaves the model as it is, a text dialect wraps it. */
export interface DialectCandidate {
  name: string
  wrap(model: LanguageModelV3): LanguageModelV3
}

/** Remembers which dialect a model speaks. Keys are `provider/model`. */
export interface DialectMemory {
  recall(model: string): Promise<string | undefined>
  remember(model: string, dialect: string): Promise<void>
}

interface DialectProbe {
  /** As the person names the model: `ollama/qwen3:8b`. */
  name: string
  /** In the order to try; the second is spoken with a model that makes the call in neither. */
  candidates: readonly [DialectCandidate, DialectCandidate]
  memory: DialectMemory
  signal: AbortSignal
  profile?: Profile
}

interface ProbedDialect {
  dialect: string
  /** Whether it made the call it was asked for; otherwise the second candidate is the better guess. */
  proven: boolean
  remembered: boolean
  tried: { dialect: string; outcome: 'called' | 'wrong-call' | 'no-call' | 'refused' }[]
}

/**
 * Finds out how a model calls tools: asks for one harmless call in the first candidate, and if it is not made, in the
 * second. What was found is remembered, also that the model made no call, so that nobody waits for this twice. Throws
 * when the provider cannot be talked to at all.
 */
export async function probeDialect(model: LanguageModelV3, probe: DialectProbe): Promise<ProbedDialect> {
  const { candidates, memory, name } = probe
  const known = await memory.recall(name)
  if (known !== undefined && candidates.some((candidate) => candidate.name === known)) {
    return { dialect: known, proven: true, remembered: true, tried: [] }
  }
  const tried: ProbedDialect['tried'] = []
  for (const candidate of candidates) {
    const outcome = await ask(candidate.wrap(model), probe)
    tried.push({ dialect: candidate.name, outcome })
    if (outcome !== 'called') continue
    await memory.remember(name, candidate.name)
    return { dialect: candidate.name, proven: true, remembered: false, tried }
  }
  const [, guess] = candidates
  // Refused in every way, the trouble is another one.
  if (tried.some(({ outcome }) => outcome !== 'refused')) await memory.remember(name, guess.name)
  return { dialect: guess.name, proven: false, remembered: false, tried }
}

const probeTool: OfferedTool = {
  name: 'pick_word',
  description: 'Pick one word from a list. Returns the word.',
  inputSchema: {
    type: 'object',
    properties: { word: { type: 'string', description: 'The word to pick' } },
    required: ['word'],
    additionalProperties: false,
  },
}

type Outcome = ProbedDialect['tried'][number]['outcome']

async function ask(model: LanguageModelV3, { signal, profile }: DialectProbe): Promise<Outcome> {
  const calls: ReplyCall[] = []
  const reply = askModel(model, {
    system: 'You have a tool. Use it as you are told and say nothing else.',
    messages: [{ role: 'user', content: 'Call pick_word with the word "pear".' }],
    tools: [probeTool],
    // Whoever made the request waits and asks again, where a person can see it.
    settings: { retry: { attempts: 1 } },
    signal,
    profile,
  })
  for await (const event of reply) {
    if (event.type === 'tool-call') calls.push(event.call)
    if (event.type === 'failed') return outcomeOf(event.failure)
  }
  if (calls.length === 0) return 'no-call'
  const [{ name, input, error }] = calls
  const word = (input as { word?: unknown } | null)?.word
  return error === undefined && name === probeTool.name && word === 'pear' ? 'called' : 'wrong-call'
}

/** A server that knows no tools refuses the request or the template breaks; anything else is no answer to the question. */
function outcomeOf(failure: Failure): Outcome {
  const kind = modelFailureData(failure)?.kind
  if (kind === 'empty') return 'no-call'
  if (kind === 'no-tools' || kind === 'rejected' || kind === 'malformed') return 'refused'
  throw failure
}
