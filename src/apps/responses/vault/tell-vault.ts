import type { AgentEvent, Mode, RunEnd } from '../../../core/agent/index.js'
import { Failure, failureFromData } from '../../../core/errors.js'
import { newId } from '../ids.js'
import type { StepItem } from '../items.js'
import type { Told } from '../reply/told.js'
import type { Asked } from '../request/asked.js'
import type { ServedVault } from '../setup.js'
import { annotationsOf } from './annotations.js'
import type { VaultRequest } from './vault-request.js'

export interface VaultTelling extends VaultRequest {
  asked: Asked
  mode: Mode
  vault: ServedVault
  signal: AbortSignal
  log(line: string): void
}

/** Asks the vault's agent, in a session of its own. Whatever goes wrong is told as the end; only a stop is thrown. */
export async function* tellVault(telling: VaultTelling): AsyncGenerator<Told, void, void> {
  const { vault, options, request, signal, log } = telling
  try {
    const session = await vault.openSession(options)
    try {
      yield* turnTold(telling, session.ask(request, signal))
    } finally {
      await session.close()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure)) log(`failed unexpectedly: ${(error as Error).stack ?? error}`)
    const failure = error instanceof Failure ? error : new Failure('internal', 'The server failed unexpectedly.')
    yield { type: 'failed', failure }
  }
}

async function* turnTold(
  { asked, vault, signal, log }: VaultTelling,
  events: AsyncGenerator<AgentEvent>,
): AsyncGenerator<Told, void, void> {
  const showsSteps = asked.include.includes('notewright:steps')
  const activities = new Map<string, string>()
  /** The words since the last step: what citations are about. */
  let text = ''
  for await (const event of events) {
    switch (event.type) {
      case 'text-delta':
        text += event.text
        yield event
        break
      case 'reasoning-delta':
        yield event
        break
      case 'tool-call':
        text = ''
        if (event.background) break
        activities.set(event.call.id, event.activity)
        break
      case 'tool-result': {
        const activity = activities.get(event.call.id)
        if (activity === undefined) break
        if (showsSteps) yield { type: 'step', step: stepOf(event, activity) }
        else yield { type: 'reasoning-delta', text: `${activity}: ${summaryOf(event)}\n` }
        break
      }
      case 'call-handed': {
        const { id, name, argumentsText } = event.call
        yield { type: 'call-start', id, name }
        if (argumentsText !== '') yield { type: 'call-delta', id, text: argumentsText }
        yield { type: 'call-end', id, name, argumentsText }
        break
      }
      case 'citations':
        yield { type: 'annotations', annotations: annotationsOf(event.citations, text, vault.name) }
        break
      case 'notice':
        log(event.text)
        break
      case 'run-end':
        signal.throwIfAborted()
        yield ending(event)
        return
      default:
    }
  }
}

type Result = Extract<AgentEvent, { type: 'tool-result' }>

const summaryOf = ({ result }: Result): string => (result.ok ? result.summary : result.text)

function stepOf(event: Result, activity: string): StepItem {
  const { call, result } = event
  return {
    type: 'notewright:step',
    id: newId('step'),
    status: 'completed',
    tool: result.name,
    activity,
    arguments: call.input,
    ok: result.ok,
    summary: summaryOf(event),
  }
}

function ending({ reason, failure, usage, messages }: RunEnd): Told {
  if (reason === 'failed' || reason === 'stopped') {
    const why = failure ?? { code: 'internal' as const, text: 'The turn broke off.' }
    return { type: 'failed', failure: failureFromData(why), usage }
  }
  return { type: 'finish', reason: reason === 'handed-over' ? 'tool-calls' : 'stop', usage, messages }
}
