import { Failure } from '../../core/errors.js'
import type { Item } from './items.js'
import { modelRequest } from './model-request.js'
import { checkedReply } from './reply/checked-reply.js'
import type { Told } from './reply/told.js'
import type { Asked } from './request/asked.js'
import type { Sealing } from './seal.js'
import type { Backend, Window } from './setup.js'

export interface Telling {
  asked: Asked
  items: readonly Item[]
  backend: Backend
  /** Where the client wants the oldest left out of what does not fit. */
  window?: Window
  sealed: Sealing
  signal: AbortSignal
  log(line: string): void
}

/** Asks the backend. Whatever goes wrong is told as the reply's end; only a stop is thrown. Who leaves stops the request. */
export async function* tellReply({
  asked,
  items,
  backend,
  window,
  sealed,
  signal,
  log,
}: Telling): AsyncGenerator<Told, void, void> {
  try {
    yield* checkedReply(backend.model, {
      request: modelRequest({ asked, items, backend, window, sealed, signal }),
      tools: asked.tools,
      mostCalls: asked.maxToolCalls ?? Number.POSITIVE_INFINITY,
      ...(asked.format.type === 'json_schema' && asked.format.strict && { answerSchema: asked.format.schema }),
      ...(asked.include.includes('reasoning.encrypted_content') && {
        sealThoughts: (options: object) => sealed.close('reasoning', { options }),
      }),
      log,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Failure)) log(`failed unexpectedly: ${(error as Error).stack ?? error}`)
    const failure = error instanceof Failure ? error : new Failure('internal', 'The server failed unexpectedly.')
    yield { type: 'failed', failure }
  }
}
