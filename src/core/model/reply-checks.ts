// Flaws of a reply that only its pieces show: a call that is meant and not made, an answer before the results are there.

import type { Failure } from '../errors.js'
import { type ModelContext, modelFailure } from './model-failure.js'
import type { ModelRequest } from './model-request.js'
import type { PrematureRule, Profile } from './profile.js'
import type { ReplyState } from './reply.js'

interface IntendedCall {
  /** The sentence for the model. */
  why: string
  /** The call stands in the reply as text, which must not be shown. */
  isText: boolean
  /** True if the model may be asked again. */
  mayRetry: boolean
}

/** Finds the call a reply intends without making it: written as text where text is no call, or only promised. */
export function intendedCall(request: ModelRequest, reply: ReplyState): IntendedCall | undefined {
  const { retryMalformedCalls: asksBack = 'text-calls', tools = [] } = request
  if (reply.calls.length > 0 || tools.length === 0) return undefined
  if (reply.writtenAsText.length > 0) {
    const names = [...new Set(reply.writtenAsText)].join(', ')
    const why = `You wrote a call of ${names} as text, so nothing was run. ${request.toolChoice === 'none' ? answerOnlyHint : callProperlyHint}`
    return { why, isText: true, mayRetry: asksBack !== 'none' }
  }
  if (asksBack !== 'all' || reply.reason !== 'stop') return undefined
  const text = reply.pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('')
  const isPromised = isPromisedCall(
    text,
    tools.map(({ name }) => name),
  )
  return isPromised ? { why: callNowHint, isText: false, mayRetry: true } : undefined
}

const answerOnlyHint = 'No tool can be called now. Answer in plain text.'
const callProperlyHint = 'Make it as a real tool call, or answer in plain text.'
const callNowHint = 'You announced a call but made none. Make the call now, or answer.'

export function textCallFailure(context: ModelContext): Failure {
  const message = `${context.modelId} writes its tool calls as text, even after a reminder.`
  const hint =
    context.howToSet && `Let Notewright read tool calls from text: ${context.howToSet('dialect', 'sentinel')}`
  return modelFailure('text-call', context, message, { hint })
}

const longestPromise = 240
const maxSentences = 3

/**
 * First-person promises to look something up or do something, in many languages; the other rules depend on no
 * language.
 */
const intentions = [
  /\b(?:I['’]?ll|I will|I am going to|I['’]?m going to|I need to|I['’]?m|I am|let me|let['’]s|first,? I|allow me to)\b.{0,60}\b(?:search|look|check|find|read|open|fetch|list|retrieve|review|scan|explore|query|gather|create|add|append|write|edit|update|rename|move|tag|use|call|start|do (?:that|this|so))/i,
  /\b(?:searching|looking (?:up|through|for|into)|checking|reading|fetching|retrieving)\b.{0,60}(?:\bnow\b|\.\.\.|…)/i,
  /\b(?:ich (?:werde|suche|schaue|sehe|prüfe|lese|öffne)|lass(?:en Sie)? mich|einen moment|moment bitte)\b/i,
  /\b(?:je vais|laisse[zr]?[- ]moi|permettez[- ]moi|je (?:cherche|regarde|vérifie|lis))\b/i,
  /\b(?:voy a|vamos a|déjame|permíteme|déjeme|un momento)(?!\p{L})|\b(?:buscaré|revisaré|leeré)(?!\p{L})/iu,
  /\b(?:vou|deixe-me|deixa eu|um momento)\b|\b(?:cercherò|controllerò|leggerò)(?!\p{L})|\b(?:vado a|fammi|lasciami|un momento)\b/iu,
  /\b(?:ik (?:ga|zal|zoek|kijk)|laat me|even kijken)\b/i,
  /(?:^|[^\p{L}])(?:я (?:сейчас )?(?:поищу|найду|посмотрю|проверю|прочитаю|открою|ищу)|сейчас (?:поищу|найду|посмотрю|проверю)|давайте? (?:я )?(?:поищ|посмотр|провер))/iu,
  /(?:^|[^\p{L}])(?:poszukam|sprawdzę|zobaczę|pozwól|zaraz)(?!\p{L})|(?:^|[^\p{L}])(?:arayacağım|bakacağım|kontrol ed(?:eyim|eceğim)|bakayım)(?!\p{L})/iu,
  /(?:我(?:来|會|会|將|将|先|要|这就|現在|现在)|让我|讓我|正在(?:搜索|查找|搜尋|查询)|稍等)/,
  /(?:検索し(?:ます|てみます|てい)|調べ(?:ます|てみます|てい)|確認し(?:ます|てみます)|探し(?:ます|てみます)|お待ちください)/,
  /(?:검색(?:해|하)|찾아\s?보|확인(?:해|하)|살펴보|잠시만)/,
]

/**
 * True if a reply without a call only promises one: a few words that announce an action, end as if something followed,
 * or name a tool. Answers and questions are not promises.
 */
export function isPromisedCall(reply: string, tools: readonly string[]): boolean {
  const text = reply.trim()
  if (
    text === '' ||
    text.length > longestPromise ||
    /[?？؟]/.test(text) ||
    /\[\[|```|^\s*(?:[-*#>|]|\d+\.)\s/m.test(text)
  )
    return false
  if (text.split(/[.!。！]+(?:\s|$)|[。！]|\n+/).filter((sentence) => sentence.trim() !== '').length > maxSentences)
    return false
  return (
    /(?:…|\.\.\.|[:：])$/.test(text) ||
    tools.some((name) => name.includes('_') && text.includes(name)) ||
    intentions.some((intention) => intention.test(text))
  )
}

/** A piece of a reply, in the order of the reply: text, reasoning or a call. */
interface Piece {
  type: string
  text?: string
}

interface PrematureAnswer {
  hasPremature: boolean
  type: 'before' | 'after' | null
}

const defaultRule: PrematureRule = { sentencesBefore: 2, charactersBefore: 200, charactersAfter: 100 }

/** Detects an answer written around calls whose results are not there yet. Reasoning does not count. */
export function detectPrematureResponse(reply: readonly Piece[], rule: PrematureRule = defaultRule): PrematureAnswer {
  const last = lastCallIndex(reply)
  if (last === -1) return { hasPremature: false, type: null }
  if (visibleText(reply.slice(last + 1)).length > rule.charactersAfter) return { hasPremature: true, type: 'after' }
  const before = visibleText(reply.slice(0, reply.findIndex(isCall)))
  const isLong = before.length > rule.charactersBefore || countSentences(before) > rule.sentencesBefore
  return isLong ? { hasPremature: true, type: 'before' } : { hasPremature: false, type: null }
}

/**
 * True if a reply that is still arriving has already gone too far, so that the rest need not be waited for. Only on
 * the first step (0).
 */
export function shouldTruncateStreaming({ premature }: Profile, reply: readonly Piece[], step: number): boolean {
  return premature !== undefined && step === 0 && detectPrematureResponse(reply, premature).type === 'after'
}

/** On the first step, removes the text after the last call, for families known to invent it. */
export function sanitizeResponse<P extends Piece>(profile: Profile, reply: readonly P[], step: number): readonly P[] {
  if (!shouldTruncateStreaming(profile, reply, step)) return reply
  const last = lastCallIndex(reply)
  return reply.filter(({ type }, place) => place <= last || type === 'reasoning')
}

const lastCallIndex = (reply: readonly Piece[]): number => reply.map(({ type }) => type).lastIndexOf('tool-call')

const isCall = ({ type }: Piece): boolean => type === 'tool-call'

function visibleText(pieces: readonly Piece[]): string {
  return pieces
    .map(({ type, text }) => (type === 'text' ? text : ''))
    .join('')
    .trim()
}

function countSentences(text: string): number {
  return text.split(/[.!?。！？]+(?:\s|$)|[。！？]|\n{2,}/).filter((sentence) => sentence.trim() !== '').length
}
