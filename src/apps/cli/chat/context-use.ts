import type { AgentEvent } from '../../../core/agent/index.js'
import type { Session, SessionStore } from '../../../core/session/index.js'
import { money } from '../show/sessions.js'

/** How full the context window of a session is, and what the session has cost, for the line above the prompt. */
export interface ContextUse {
  session: string
  see(event: AgentEvent): void
  /** Looks up the window and the cost, after a turn. */
  update(session: Session, sessions: SessionStore): Promise<void>
  /** '' before the first answer of a language model. */
  words(): string
}

export function contextUse(session: string): ContextUse {
  let tokens: number | undefined
  let window: number | undefined
  let cost: number | null | undefined
  let hasAnswered = false
  let isOffline = false
  return {
    session,
    see(event) {
      if (event.type === 'text-delta') hasAnswered = true
      // The next request contains both what the last one contained and its answer.
      if (event.type === 'step-end' && event.usage.input !== undefined) {
        tokens = event.usage.input + (event.usage.output ?? 0)
      }
      // Its size is known after the next request.
      if (event.type === 'compacted') tokens = undefined
    },
    async update(opened, sessions) {
      const { provider, window: asked } = await opened.model()
      isOffline = provider === 'offline'
      if (isOffline || !hasAnswered) return
      // Numbers that cannot be read are not shown.
      window = (await asked?.().catch(() => undefined))?.tokens
      cost = (await sessions.find(session).catch(() => undefined))?.cost ?? null
    },
    words() {
      if (isOffline || !hasAnswered) return ''
      return [contextWords(tokens, window), cost == null ? 'cost unknown' : money(cost)].join(' · ')
    },
  }
}

/** "context 12% of 32k"; without a window the tokens alone. */
function contextWords(tokens: number | undefined, window: number | undefined): string {
  if (tokens === undefined) return 'context unknown'
  if (window === undefined) return `context ${thousands(tokens)} tokens`
  return `context ${Math.min(100, Math.round((tokens / window) * 100))}% of ${thousands(window)}`
}

function thousands(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  return tokens < 10_000 ? `${(tokens / 1000).toFixed(1)}k` : `${Math.round(tokens / 1000)}k`
}
