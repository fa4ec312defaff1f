import type { PrematureRule, Profile } from './profile.js'

/** A reply in the order it was written, with calls and reasoning already set apart from the words. */
export type ReplyPart = { type: 'text'; text: string } | { type: 'reasoning'; text: string } | { type: 'call' }

export interface PrematureAnswer {
  hasPremature: boolean
  type: 'before' | 'after' | null
}

const usual: PrematureRule = { sentencesBefore: 2, charactersBefore: 200, charactersAfter: 100 }

/** Whether a reply answers around its calls although their results are not there yet. Reasoning does not count. */
export function detectPrematureResponse(reply: readonly ReplyPart[], rule: PrematureRule = usual): PrematureAnswer {
  const first = reply.findIndex(({ type }) => type === 'call')
  if (first === -1) return { hasPremature: false, type: null }
  const before = wordsOf(reply.slice(0, first))
  if (sentencesIn(before) > rule.sentencesBefore || before.length > rule.charactersBefore) {
    return { hasPremature: true, type: 'before' }
  }
  const after = wordsOf(reply.slice(lastCall(reply) + 1))
  return after.length > rule.charactersAfter
    ? { hasPremature: true, type: 'after' }
    : { hasPremature: false, type: null }
}

/** Takes away what was written after the last call, on the first step, for families known to invent it there. */
export function sanitizeResponse(profile: Profile, reply: readonly ReplyPart[], step: number): ReplyPart[] {
  if (!shouldTruncateStreaming(profile, reply, step)) return [...reply]
  const last = lastCall(reply)
  return reply.filter(({ type }, place) => place <= last || type === 'reasoning')
}

/** Whether a reply still being written has already gone too far: the rest need not be waited for. */
export function shouldTruncateStreaming(profile: Profile, reply: readonly ReplyPart[], step: number): boolean {
  if (profile.premature === undefined || step > 0) return false
  const last = lastCall(reply)
  return last !== -1 && wordsOf(reply.slice(last + 1)).length > profile.premature.charactersAfter
}

const lastCall = (reply: readonly ReplyPart[]): number => reply.map(({ type }) => type).lastIndexOf('call')

function wordsOf(parts: readonly ReplyPart[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim()
}

function sentencesIn(text: string): number {
  return text.split(/[.!?。！？]+(?:\s|$)|[。！？]|\n{2,}/).filter((sentence) => sentence.trim() !== '').length
}
