import type { ModelMessage } from '../../../core/model/index.js'
import type { Item } from '../items.js'
import type { ResponseEvent } from '../wire/response-events.js'
import type { ResponseObject } from '../wire/response-object.js'

/** A response with what was put in for it. */
export interface KeptReply {
  response: ResponseObject
  /** What was new in the request. */
  input: Item[]
  /** What the vault's agent and its tools said, which the items do not tell. */
  messages?: ModelMessage[]
  /** What was streamed of one that was made in the background, for who lost the stream. */
  events?: ResponseEvent[]
}

/** Where responses are kept, for a while, so that a conversation can go on and calls can be answered later. */
export interface ReplyStore {
  put(reply: KeptReply): void
  get(id: string): KeptReply | undefined
  /** Whether there was one. */
  delete(id: string): boolean
  /** An item that was put in or said. */
  item(id: string): Item | undefined
  /** Ids of responses that made a call of this id, the newest first. */
  withCall(callId: string): string[]
}
