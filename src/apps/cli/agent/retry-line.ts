import type { AgentEvent } from '../../../core/agent/index.js'

/** What a person reads while the provider is given time. */
export function retryLine({ why, waitMs }: Extract<AgentEvent, { type: 'retrying' }>): string {
  return `${why} Trying again in ${Math.ceil(waitMs / 1000)} s.`
}
