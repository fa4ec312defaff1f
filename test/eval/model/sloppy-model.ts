import type { Answer } from './answers.js'
import type { Move, Persona } from './personas.js'
import type { Prompt, Reply } from './prompt.js'
import { type Seen, see } from './seen.js'
import type { Step } from './steps.js'

/** A model's plan for a request: the steps, and the final answer. */
export interface Understanding {
  ask: string
  steps: readonly Step[]
  answer: Answer
}

const probe = /Call (\w+) with the word "(\w+)"/

/**
 * A model that knows what to do about these requests, and is as sloppy as its persona. It remembers nothing: what it
 * does next follows from the request in front of it, and what was dropped from that it cannot know.
 */
export function sloppyModel(persona: Persona, understood: readonly Understanding[]): (prompt: Prompt) => Reply {
  return (prompt) => {
    const seen = see(prompt, (text) => probe.test(text) || understood.some(({ ask }) => text.includes(ask)))
    return persona.speak(nextMove(seen, understood), seen)
  }
}

function nextMove(seen: Seen, understood: readonly Understanding[]): Move {
  const [, tool, word] = probe.exec(seen.ask) ?? []
  if (tool !== undefined) return { call: { name: tool, input: { word } } }
  const request = understood.find(({ ask }) => seen.ask.includes(ask))
  if (request === undefined) return { say: 'Hello! How can I help you today?' }
  if (!seen.isClosed) {
    for (const step of request.steps) {
      const call = step(seen)
      if (call === undefined) continue
      if (!seen.tools.has(call.name)) return { say: `I have no way to do that: there is no ${call.name} here.` }
      if (failures(call.name, seen) < patience) return { call }
      break
    }
  }
  return { say: request.answer(seen) }
}

const patience = 3

const failures = (tool: string, { exchanges }: Seen): number =>
  exchanges.filter(({ name, isError, text }) => isError && (name === tool || /unknown tool/i.test(text))).length
