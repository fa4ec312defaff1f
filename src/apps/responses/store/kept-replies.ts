import type { RepliesFile } from '../../../hosts/node/replies/index.js'
import type { KeptReply, ReplyStore } from './reply-store.js'

/** Responses in a file, so that they are there after a restart. */
export function keptReplies(file: RepliesFile): ReplyStore {
  return {
    put: (reply) =>
      file.put({
        id: reply.response.id,
        text: JSON.stringify(reply),
        callIds: reply.response.output.flatMap((item) => (item.type === 'function_call' ? [item.call_id] : [])),
      }),
    get(id) {
      const text = file.get(id)
      return text === undefined ? undefined : (JSON.parse(text) as KeptReply)
    },
    delete: (id) => file.delete(id),
    withCall: (callId) => file.withCall(callId),
  }
}
