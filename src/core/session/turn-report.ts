import type { AgentEvent, Citation, RunEnd } from '../agent/index.js'
import type { NotePath } from '../vault/index.js'
import { isRefused, retryLine } from './event-text.js'

interface ReportedTool {
  name: string
  input: unknown
  ok: boolean
  summary: string
  code?: string
  ms: number
  cached?: true
  log_id?: string
}

/** A change set that was applied. */
export interface ChangeSummary {
  /** Undo takes this id. */
  id: string
  /** One line that describes the change. */
  title: string
  /** The notes as they are named after the change, each once. */
  paths: NotePath[]
}

/** The result of a turn, as scripts get it. */
export interface TurnReport {
  see(event: AgentEvent): void
  end(): RunEnd
  /** The model's last attempt was refused, so the request has not been carried out. */
  refusal(): { code: 'denied' | 'needs-approval'; text: string } | undefined
  changes(): ChangeSummary[]
  citations(): Citation[]
  model(): string
  asData(session: string): Record<string, unknown>
}

/** Collects the events of a turn for its result. */
export function turnReport(): TurnReport {
  const started = new Map<string, number>()
  const steps: { step: number; tools: ReportedTool[]; usage: unknown }[] = []
  const changeSets: ChangeSummary[] = []
  const notices: string[] = []
  let citations: Citation[] = []
  let about: { model: string; mode: string } | undefined
  let ended: RunEnd | undefined
  let refused: ReturnType<TurnReport['refusal']>

  function step(number = steps.at(-1)?.step ?? 0) {
    const known = steps.find((one) => one.step === number)
    if (known !== undefined) return known
    const made = { step: number, tools: [], usage: {} }
    steps.push(made)
    return made
  }

  function seeResult({ call, result, cached }: Extract<AgentEvent, { type: 'tool-result' }>): void {
    const ms = Math.round(performance.now() - (started.get(call.id) ?? performance.now()))
    step().tools.push({
      name: result.name,
      input: call.input,
      ok: result.ok,
      summary: result.ok ? result.summary : result.text,
      ...(!result.ok && { code: result.code }),
      ms,
      ...(cached && { cached }),
      ...(result.logId && { log_id: result.logId }),
    })
    if (result.ok && result.changeSet) {
      const { id, title, changes } = result.changeSet
      changeSets.push({ id, title, paths: [...new Set(changes.map(({ path, to }) => to ?? path))] })
    }
    if (result.ok) refused = undefined
    else if (isRefused(result.code)) refused = { code: result.code as 'denied' | 'needs-approval', text: result.text }
  }

  const end = (): RunEnd => {
    if (ended === undefined) throw new Error('The turn has not ended.')
    return ended
  }

  return {
    see(event) {
      if (event.type === 'run-start') about = { model: event.model, mode: event.mode }
      else if (event.type === 'step-start') step(event.step)
      else if (event.type === 'step-end') step(event.step).usage = event.usage
      else if (event.type === 'tool-call') started.set(event.call.id, performance.now())
      else if (event.type === 'tool-result') seeResult(event)
      else if (event.type === 'notice') notices.push(event.text)
      else if (event.type === 'retrying') notices.push(retryLine(event))
      else if (event.type === 'citations') citations = event.citations
      else if (event.type === 'run-end') ended = event
    },
    end,
    refusal: () => refused,
    changes: () => changeSets,
    citations: () => citations,
    model: () => about?.model ?? '',
    asData(session) {
      const { text, reason, usage, failure } = end()
      return {
        ok: reason !== 'failed' && reason !== 'stopped',
        answer: text,
        citations,
        steps,
        usage,
        reason,
        ...about,
        session,
        changeSets,
        ...(notices.length > 0 && { notices }),
        ...(refused && { refused }),
        ...failure,
      }
    },
  }
}
