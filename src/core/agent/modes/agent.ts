import { modelFailureData, noCallRule, userMessage } from '../../model/index.js'
import { requestText, systemPrompt } from '../system-prompt.js'
import type { ModeEvents, ModeRun } from './mode-run.js'
import { answerCalls, takeStep } from './take-step.js'

const sameCalls = 3

/** The loop: the model calls tools until it has nothing left to call. */
export async function* agent(run: ModeRun): ModeEvents {
  const { turn, setup, progress, limit } = run
  const system = systemPrompt(setup)
  const maxSteps = Math.min(50, Math.max(1, setup.maxSteps ?? setup.profile.stepLimit))
  progress.messages.push(userMessage(requestText(turn)))
  const messages = () => [...(turn.history ?? []), ...progress.messages]

  for (let step = 1; step < maxSteps && !limit.isOver(); step++) {
    const reply = yield* takeStep(run, { system, messages: messages(), tools: 'open' })
    if (reply.failure) return { reason: 'failed', failure: reply.failure }
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
  const reply = yield* takeStep(run, { system, messages: messages(), tools: isFirst ? 'absent' : 'closed' })
  if (modelFailureData(reply.failure)?.kind === 'tool-choice') {
    yield { type: 'notice', text: 'The model went on calling tools instead of answering.' }
  } else if (reply.failure) return { reason: 'failed', failure: reply.failure }
  return { reason: isFirst ? 'answered' : 'step-limit' }
}

const lastWords = `No more tools can be called now. Answer from what was found, and say what is still open. ${noCallRule}`
