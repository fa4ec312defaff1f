import type { ModelMessage } from '../../core/model/index.js'
import type { Asked } from './request/asked.js'
import type { ReplyStore } from './store/reply-store.js'
import type { ResponseObject } from './wire/response-object.js'

/** Responses that are being made, with what stops each. */
export type Running = Map<string, { stop(): void; over: Promise<void> }>

/** Is told when a response begins and when it is over. */
export interface Keeper {
  begin(response: ResponseObject): void
  end(response: ResponseObject, messages?: ModelMessage[]): void
}

/** Keeps a response from its beginning on, if the client wants it kept; until its end it can be stopped by its id. */
export function keeper(
  { input, store: isKept }: Pick<Asked, 'input' | 'store'>,
  { store, running, stop }: { store: Pick<ReplyStore, 'put'>; running: Running; stop(): void },
): Keeper {
  let isOver = () => {}
  return {
    begin(response) {
      if (!isKept) return
      const over = new Promise<void>((resolve) => {
        isOver = resolve
      })
      running.set(response.id, { stop, over })
      store.put({ response, input })
    },
    end(response, messages) {
      if (!isKept) return
      running.delete(response.id)
      store.put({ response, input, ...(messages && { messages }) })
      isOver()
    },
  }
}
