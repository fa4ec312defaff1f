import type { ModelMessage } from '../../core/model/index.js'
import type { ResponseTable } from '../../hosts/node/response-store.js'
import type { Item } from './items.js'
import type { ResponseEvent, ResponseObject } from './response.js'

/** A stored response with its input. */
export interface StoredResponse {
  response: ResponseObject
  /** The new items of the request. */
  input: Item[]
  /** The turn of the vault's agent with its own tool calls, which the items do not contain. */
  messages?: ModelMessage[]
  /** The streamed events of a background response, for clients that lost the stream. */
  events?: ResponseEvent[]
}

/** Stores responses for a while, so that conversations can be continued and calls answered later. */
export interface ResponseStore {
  put(stored: StoredResponse): void
  get(id: string): StoredResponse | undefined
  /** Returns whether the response existed. */
  delete(id: string): boolean
  /** An input or output item of any stored response. */
  findItem(id: string): Item | undefined
  /** Ids of responses with a call of this id, newest first. */
  idsWithCall(callId: string): string[]
}

/** Stores responses in a file, so that they survive a restart. */
export function responseStore(file: Pick<ResponseTable, 'put' | 'get' | 'delete' | 'withName'>): ResponseStore {
  const get = (id: string): StoredResponse | undefined => {
    const text = file.get(id)
    return text === undefined ? undefined : (JSON.parse(text) as StoredResponse)
  }
  return {
    put: (stored) =>
      file.put({
        id: stored.response.id,
        text: JSON.stringify(stored),
        names: [...stored.input.map(({ id }) => id), ...stored.response.output.flatMap(lookupNames)],
      }),
    get,
    delete: (id) => file.delete(id),
    findItem(id) {
      const { input = [], response } = file.withName(id).map(get)[0] ?? {}
      return [...input, ...(response?.output ?? [])].find((item) => item.id === id)
    },
    idsWithCall: (callId) => file.withName(callName(callId)),
  }
}

/** The responses of one client. Other clients cannot find them by any name. */
export function clientReplies(
  file: ResponseTable,
  client: string,
): Pick<ResponseTable, 'put' | 'get' | 'delete' | 'withName'> {
  const own = (name: string) => `${client} ${name}`
  return {
    put: ({ id, text, names }) => file.put({ id: own(id), text, names: names.map(own) }),
    get: (id) => file.get(own(id)),
    delete: (id) => file.delete(own(id)),
    withName: (name) => file.withName(own(name)).map((id) => id.slice(client.length + 1)),
  }
}

const lookupNames = (item: Item): string[] =>
  item.type === 'function_call' ? [item.id, callName(item.call_id)] : [item.id]

/** Models choose call ids, so these must not collide with item ids. */
const callName = (callId: string): string => `call ${callId}`
