import type { Mode } from '../../../../core/agent/index.js'
import type { ModelMessage } from '../../../../core/model/index.js'
import { type Agent, type TurnReport, type TurnScreen, turnReport } from '../../agent/index.js'

/** A conversation that carries over from turn to turn. */
export interface Talk {
  mode: Mode
  /** Runs one turn; the screen sees it as it happens. */
  turn(text: string, screen: Pick<TurnScreen, 'show'>, signal: AbortSignal): Promise<TurnReport>
  clear(): void
}

export function talk(agent: Agent, mode: Mode = 'agent'): Talk {
  let history: ModelMessage[] = []
  const self: Talk = {
    mode,
    async turn(text, screen, signal) {
      const report = turnReport()
      // A note may have been written, or made private, since the turn before. What fails here fails again, and aloud,
      // in the tool that needs it.
      await agent.notebook.refresh({ signal }).catch(() => undefined)
      for await (const event of agent.run({ text, mode: self.mode, history: [...history] }, signal)) {
        report.see(event)
        screen.show(event)
      }
      const { messages } = report.end()
      // A question that got no word of an answer would stand in the way of the next.
      if (messages.some(({ role }) => role === 'assistant')) history.push(...messages)
      return report
    },
    clear() {
      history = []
    },
  }
  return self
}
