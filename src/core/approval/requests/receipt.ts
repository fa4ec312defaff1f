/** What a front end hears about its answer. */
export type Receipt = { ok: true } | { ok: false; reason: RefusedReply; message: string }

export type RefusedReply = 'unknown' | 'used' | 'expired' | 'void' | 'other-session' | 'wrong-hash' | 'invalid'

export function refused(reason: RefusedReply, message = messages[reason]): Receipt {
  return { ok: false, reason, message }
}

const messages: Record<RefusedReply, string> = {
  unknown: 'There is no such request.',
  used: 'This request has been decided already.',
  expired: 'This request has expired, and was denied.',
  void: 'This request is void: its run was stopped.',
  'other-session': 'This request belongs to another session.',
  'wrong-hash': 'The answer is for something else than what is asked.',
  invalid: 'The answer does not fit the request.',
}
