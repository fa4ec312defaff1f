import type { LanguageModelV3Content, LanguageModelV3StreamPart } from './sdk.js'

/** No server can write them. */
const notice = Symbol('notice')
const textCalls = Symbol('text calls')

/**
 * Something to tell the person before a reply comes, from whoever wraps a model. It travels as a part that the protocol
 * keeps for what it does not know, so that nothing else takes it for a part of the reply.
 */
export function noticePart(text: string): LanguageModelV3StreamPart {
  return { type: 'raw', rawValue: { [notice]: text } }
}

/** The same for calls that a model wrote as text although it has a protocol for them: their names. They are neither shown nor run. */
export function textCallsPart(names: readonly string[]): LanguageModelV3StreamPart {
  return { type: 'raw', rawValue: { [textCalls]: names } }
}

/** The same in a reply that comes in one piece, whose parts become those of a stream. */
export function textCallsContent(names: readonly string[]): LanguageModelV3Content {
  return textCallsPart(names) as unknown as LanguageModelV3Content
}

export function noticeIn(rawValue: unknown): string | undefined {
  return member(rawValue)[notice]
}

export function textCallsIn(rawValue: unknown): readonly string[] | undefined {
  return member(rawValue)[textCalls]
}

function member(rawValue: unknown): { [notice]?: string; [textCalls]?: readonly string[] } {
  return typeof rawValue === 'object' && rawValue !== null ? rawValue : {}
}
