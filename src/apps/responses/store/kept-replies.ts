import type { RepliesFile } from '../../../hosts/node/replies/index.js'
import type { Item } from '../items.js'
import type { KeptReply, ReplyStore } from './reply-store.js'

/** Responses in a file, so that they are there after a restart. */
export function keptReplies(file: RepliesFile): ReplyStore {
  const get = (id: string): KeptReply | undefined => {
    const text = file.get(id)
    return text === undefined ? undefined : (JSON.parse(text) as KeptReply)
  }
  return {
    put: (reply) =>
      file.put({
        id: reply.response.id,
        text: JSON.stringify(reply),
        names: [...reply.input.map(({ id }) => id), ...reply.response.output.flatMap(namesOf)],
      }),
    get,
    delete: (id) => file.delete(id),
    item(id) {
      const { input = [], response } = file.withName(id).map(get)[0] ?? {}
      return [...input, ...(response?.output ?? [])].find((item) => item.id === id)
    },
    withCall: (callId) => file.withName(callName(callId)),
  }
}

const namesOf = (item: Item): string[] =>
  item.type === 'function_call' ? [item.id, callName(item.call_id)] : [item.id]

/** A model chooses the ids of its calls; they must not be taken for those of items. */
const callName = (callId: string): string => `call ${callId}`
