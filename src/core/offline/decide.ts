import type { LanguageModelV3CallOptions } from '../model/index.js'
import { chatText, closingLine } from './answers/closing-line.js'
import type { OfflineWords } from './answers/offline-words.js'
import { readPrompt, type Situation } from './prompt/index.js'
import { askQuestion, type Call, type Request, readRequest, type Task, taskFor } from './requests/index.js'

export type Decision = { calls: Call[] } | { text: string }

/** More rounds than this nothing here needs; whatever a result says, the turn ends. */
const mostRounds = 3

/** What to do next, seen from the prompt alone: call tools, or say something. */
export function decide(options: LanguageModelV3CallOptions, words: OfflineWords): Decision {
  const situation = readPrompt(options)
  const request = readRequest(situation)
  const task = taskFor(request)
  const calls = situation.rounds < mostRounds ? newCalls(task.next(situation.results), situation) : []
  const possible = calls.filter(({ name }) => situation.offered.has(name))
  if (possible.length > 0) return { calls: possible }
  return { text: answer(request, task, calls, situation, words) }
}

/** The same call twice would be answered the same way twice. */
function newCalls(calls: readonly Call[], { results }: Situation): Call[] {
  const key = (name: string, input: unknown) => `${name} ${JSON.stringify(input)}`
  const made = new Set(results.map(({ name, input }) => key(name, input)))
  return calls.filter(({ name, input }) => !made.has(key(name, input)))
}

function answer(
  request: Request,
  task: Task,
  missing: readonly Call[],
  { results, offered, isModelMissed }: Situation,
  words: OfflineWords,
): string {
  const here = { ...words, closing: isModelMissed ? '' : closingLine(words.model) }
  const has = results.some(({ name }) => task.tools.includes(name))
  if (has || task.tools.length === 0) return task.answer(results, here)
  if (task.writes && offered.size === 0 && results.length > 0) return notInThisMode(words)
  if (results.length > 0 || request.attached.length > 0) return askQuestion(request).answer(results, here)
  if (offered.size === 0) return chatText(words.model)
  const name = missing[0]?.name ?? task.tools[0]
  return `This needs the tool \`${name}\`, which is switched off. ${words.enable(name)}`
}

const notInThisMode = ({ agentMode }: OfflineWords): string =>
  `This was not done: in this mode I cannot call the tool it needs. Ask again in agent mode (${agentMode}).`
