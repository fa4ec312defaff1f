import type { Failure } from '../errors.js'
import { askModel } from './ask-model.js'
import { modelFailureData } from './model-failure.js'
import type { OfferedTool } from './model-request.js'
import type { Profile } from './profile.js'
import type { ReplyCall } from './reply-event.js'
import type { LanguageModelV3 } from './sdk.js'

/** A dialect to try: `native` leaves the model as it is, a text dialect wraps it. */
export interface DialectCandidate {
  name: string
  wrap(model: LanguageModelV3): LanguageModelV3
}

/** Stores the dialect of each model. Keys are `provider/model`. */
export interface DialectMemory {
  recall(model: string): Promise<string | undefined>
  remember(model: string, dialect: string): Promise<void>
}

interface DialectProbe {
  /** The model as the user names it: `ollama/qwen3:8b`. */
  name: string
  /** In the order to try. The second one is used if the model makes the call in neither. */
  candidates: readonly [DialectCandidate, DialectCandidate]
  memory: DialectMemory
  signal: AbortSignal
  profile?: Profile | undefined
}

interface ProbedDialect {
  dialect: string
  /** True if the model made the requested call; otherwise the second candidate is the better guess. */
  proven: boolean
  remembered: boolean
  tried: { dialect: string; outcome: 'called' | 'wrong-call' | 'no-call' | 'refused' }[]
}

/**
 * Finds out how a model calls tools: requests one harmless call in the first candidate, then in the second. The result
 * is stored, also if the model made no call, so that this wait happens once. Throws if the provider cannot be reached.
 */
export async function probeDialect(model: LanguageModelV3, probe: DialectProbe): Promise<ProbedDialect> {
  const { candidates, memory, name } = probe
  const known = await memory.recall(name)
  if (known !== undefined && candidates.some((candidate) => candidate.name === known)) {
    return { dialect: known, proven: true, remembered: true, tried: [] }
  }
  const tried: ProbedDialect['tried'] = []
  for (const candidate of candidates) {
    const outcome = await tryDialect(candidate.wrap(model), probe)
    tried.push({ dialect: candidate.name, outcome })
    if (outcome !== 'called') continue
    await memory.remember(name, candidate.name)
    return { dialect: candidate.name, proven: true, remembered: false, tried }
  }
  const [, guess] = candidates
  // If every candidate was refused, tools are not the problem.
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

type ProbeOutcome = ProbedDialect['tried'][number]['outcome']

async function tryDialect(model: LanguageModelV3, { signal, profile }: DialectProbe): Promise<ProbeOutcome> {
  const calls: ReplyCall[] = []
  const reply = askModel(model, {
    system: 'You have a tool. Call it as requested and write nothing else.',
    messages: [{ role: 'user', content: 'Call pick_word with the word "pear".' }],
    tools: [probeTool],
    // The outer request retries, where the user can see it.
    settings: { retry: { attempts: 1 } },
    signal,
    profile,
  })
  for await (const event of reply) {
    if (event.type === 'tool-call') calls.push(event.call)
    if (event.type === 'failed') return outcomeOf(event.failure)
  }
  const [call] = calls
  if (call === undefined) return 'no-call'
  const { name, input, error } = call
  const word = (input as { word?: unknown } | null)?.word
  return error === undefined && name === probeTool.name && word === 'pear' ? 'called' : 'wrong-call'
}

/**
 * A server without tools refuses the request, or its template breaks. Any other failure does not answer the question.
 */
function outcomeOf(failure: Failure): ProbeOutcome {
  const kind = modelFailureData(failure)?.kind
  if (kind === 'empty') return 'no-call'
  if (kind === 'no-tools' || kind === 'rejected' || kind === 'malformed') return 'refused'
  throw failure
}
