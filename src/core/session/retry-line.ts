import type { AgentEvent } from '../agent/index.js'

/** What a person reads while nothing comes: "Reading the prompt, 40 s". */
export function waitingLine({ why, seconds }: Extract<AgentEvent, { type: 'waiting' }>): string {
  if (why === 'retry') return `Trying again in ${seconds} s`
  return `${why === 'prompt' ? 'Reading the prompt' : 'Waiting for the model'}, ${seconds} s`
}

/** What a person reads when older turns were summed up. */
export function compactedLine({ from, to, before, after }: Extract<AgentEvent, { type: 'compacted' }>): string {
  const number = (tokens: number) => tokens.toLocaleString('en')
  const which = from === to ? `Turn ${to} was` : `Turns ${from} to ${to} were`
  return `${which} summed up to make room: ${number(before)} tokens are ${number(after)} now.`
}

/** What a person reads where the conversation begins anew. */
export function projectLine({ project }: Extract<AgentEvent, { type: 'project-changed' }>): string {
  return `This is a new conversation in ${project === undefined ? 'the whole vault' : `the project ${project}`}.`
}

/** What a person reads while the provider is given time. */
export function retryLine({ why, waitMs }: Extract<AgentEvent, { type: 'retrying' }>): string {
  return `${why} Trying again in ${Math.ceil(waitMs / 1000)} s.`
}
