import type { Failure } from '../../errors.js'
import { modelFailureData, noCallRule, toolMessage, userMessage } from '../../model/index.js'
import { systemPrompt } from '../system-prompt.js'
import { goOn } from './go-on.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { requestWith } from './request-with.js'
import { answerCalls, type StepReply, takeStep } from './take-step.js'

const sameCalls = 3

/** The loop: the model calls tools until it has nothing left to call. */
export async function* agent(run: ModeRun): ModeEvents {
  const { turn, setup, progress, limit } = run
  const system = systemPrompt(setup)
  const maxSteps = Math.min(50, Math.max(1, setup.maxSteps ?? setup.profile.stepLimit))
  if (turn.begun === undefined) progress.messages.push(turn.answers ? toolMessage(turn.answers) : requestWith(run))
  else yield* goOn(run, turn.begun)
  const messages = () => [...(turn.history ?? []), ...progress.messages]

  for (let step = 1; step < maxSteps && !limit.isOver(); step++) {
    const reply = yield* takeStep(run, { system, messages: messages(), tools: 'open' })
    if (reply.failure) return { reason: 'failed', failure: reply.failure }
    if (reply.handed?.length) return yield* handOver(run, reply)
    if (reply.calls.length === 0) return { reason: 'answered' }
    const isCircling = reply.calls.some((call) => progress.memory.count(call) >= sameCalls)
    yield* answerCalls(run, reply.calls)
    if (isCircling) {
      yield { type: 'notice', text: `The model made the same call ${sameCalls} times, so it was asked to answer.` }
      break
    }
  }

  if (limit.isOver()) yield { type: 'notice', text: 'The time for this turn is over; answering from what was found.' }
  const isFirst = progress.steps === 0
  // Part of the conversation from here on: the next turn's request begins as this one does.
  if (!isFirst) progress.messages.push(userMessage(lastWords))
  const last = () => takeStep(run, { system, messages: messages(), tools: isFirst ? 'absent' : 'closed' })
  let reply = yield* last()
  if (!isFirst && isSilent(reply.failure)) {
    progress.messages.push(userMessage(onceMore))
    reply = yield* last()
    if (isSilent(reply.failure)) return yield* sayWhatWasFound(run)
  }
  if (modelFailureData(reply.failure)?.kind === 'tool-choice') {
    yield { type: 'notice', text: 'The model went on calling tools instead of answering.' }
    if (progress.text.trim() === '') return yield* sayWhatWasFound(run)
  } else if (reply.failure) return { reason: 'failed', failure: reply.failure }
  return { reason: isFirst ? 'answered' : 'step-limit' }
}

/** Our own calls of the step are run; the others are the client's, who comes back with what they gave. */
async function* handOver(run: ModeRun, { calls, handed = [] }: StepReply): ModeEvents {
  if (calls.length > 0) yield* answerCalls(run, calls)
  for (const { id, name, argumentsText } of handed) yield { type: 'call-handed', call: { id, name, argumentsText } }
  return { reason: 'handed-over' }
}

const isSilent = (failure: Failure | undefined): boolean => modelFailureData(failure)?.kind === 'empty'

/** The model has nothing to say, but the person is not left without anything. */
async function* sayWhatWasFound({ progress }: ModeRun): ModeEvents {
  const notes = [...progress.found].slice(0, mostNamed)
  const more = progress.found.size - notes.length
  const links = notes.map((path) => `- [[${path.replace(/\.md$/i, '')}]]`)
  const text =
    notes.length === 0
      ? 'The model ended without an answer, and no note was found.'
      : `The model ended without an answer. These notes were found:\n\n${links.join('\n')}${more > 0 ? `\nand ${more} more` : ''}`
  progress.text = text
  progress.messages.push({ role: 'assistant', content: [{ type: 'text', text }] })
  yield { type: 'text-delta', text }
  return { reason: 'step-limit' }
}

const mostNamed = 10
const onceMore = 'You sent nothing. Answer the request now, in a few sentences, from what was found.'
const lastWords = `No more tools can be called now. Answer from what was found, and say what is still open. ${noCallRule}`
