import type { PrematureRule, Profile } from './profile.js'

/** A piece of a reply, in the order it was written: words, thoughts, calls. */
interface Piece {
  type: string
  text?: string
}

export interface PrematureAnswer {
  hasPremature: boolean
  type: 'before' | 'after' | null
}

const usual: PrematureRule = { sentencesBefore: 2, charactersBefore: 200, charactersAfter: 100 }

/** Whether a reply answers around its calls although their results are not there yet. Reasoning does not count. */
export function detectPrematureResponse(reply: readonly Piece[], rule: PrematureRule = usual): PrematureAnswer {
  const last = lastCall(reply)
  if (last === -1) return { hasPremature: false, type: null }
  if (wordsOf(reply.slice(last + 1)).length > rule.charactersAfter) return { hasPremature: true, type: 'after' }
  const before = wordsOf(reply.slice(0, reply.findIndex(isCall)))
  const isLong = before.length > rule.charactersBefore || sentencesIn(before) > rule.sentencesBefore
  return isLong ? { hasPremature: true, type: 'before' } : { hasPremature: false, type: null }
}

/** Whether a reply still being written has already gone too far: the rest need not be waited for. Only on the first step (0). */
export function shouldTruncateStreaming({ premature }: Profile, reply: readonly Piece[], step: number): boolean {
  return premature !== undefined && step === 0 && detectPrematureResponse(reply, premature).type === 'after'
}

/** Takes away what was written after the last call, on the first step, for families known to invent it there. */
export function sanitizeResponse<P extends Piece>(profile: Profile, reply: readonly P[], step: number): readonly P[] {
  if (!shouldTruncateStreaming(profile, reply, step)) return reply
  const last = lastCall(reply)
  return reply.filter(({ type }, place) => place <= last || type === 'reasoning')
}

const lastCall = (reply: readonly Piece[]): number => reply.map(({ type }) => type).lastIndexOf('tool-call')

const isCall = ({ type }: Piece): boolean => type === 'tool-call'

function wordsOf(pieces: readonly Piece[]): string {
  return pieces
    .map(({ type, text }) => (type === 'text' ? text : ''))
    .join('')
    .trim()
}

function sentencesIn(text: string): number {
  return text.split(/[.!?。！？]+(?:\s|$)|[。！？]|\n{2,}/).filter((sentence) => sentence.trim() !== '').length
}
