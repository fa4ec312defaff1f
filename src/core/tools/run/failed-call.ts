import { Failure, failureData } from '../../errors.js'
import { cutText } from '../answer/index.js'
import { finish, unproposed } from './log-call.js'
import { provenanceOfFailure } from './provenance-of.js'
import type { RunningCall } from './running-call.js'
import type { FailedCall } from './tool-call.js'

/** What went wrong, in words that a model can act on. */
export async function failed(running: RunningCall, error: unknown): Promise<FailedCall> {
  const { call, setup } = running
  const { signal } = setup.context
  running.error = error
  const expected = error instanceof Failure ? error : undefined
  if (running.found) {
    const provenance = await provenanceOfFailure(error, running.found, running, setup.context)
    setup.guard.observe(provenance, [...running.read])
  }
  const code = expected?.code ?? 'internal'
  const logged = signal.aborted
    ? { code: 'aborted', message: 'stopped' }
    : { code, message: `${(error as Error)?.message ?? error}` }
  if (running.logId === undefined) {
    running.logId = await setup.log
      .intend(unproposed(running, code === 'denied' ? 'denied' : 'refused'), { durable: false })
      .catch(() => undefined)
  }
  await finish(running, { error: logged })
  // The person stopped the run. That is not the tool's result, so the model is not told.
  signal.throwIfAborted()
  const { hint, data } = expected ? failureData(expected) : {}
  const message = expected ? bounded(expected.message) : `${call.name} failed unexpectedly.`
  const text = [message, hint].filter(Boolean).join(' ')
  const logId = running.logId === undefined ? {} : { logId: running.logId }
  return {
    callId: call.id,
    name: call.name,
    ok: false,
    code,
    text,
    ...(hint && { hint }),
    ...(data && { data }),
    ...logId,
  }
}

/** A failure may repeat an argument, and that may be a whole book. */
function bounded(message: string): string {
  if (message.length <= longestMessage) return message
  const length = message.length.toLocaleString('en')
  return `${cutText(message, longestMessage)}… (${length} characters in all.)`
}

const longestMessage = 2000
