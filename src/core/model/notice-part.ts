import type { LanguageModelV3StreamPart } from './sdk.js'

/** No server can write it. */
const notice = Symbol('notice')

/**
 * Something to tell the person before a reply comes, from whoever wraps a model. It travels as a part that the protocol
 * keeps for what it does not know, so that nothing else takes it for a part of the reply.
 */
export function noticePart(text: string): LanguageModelV3StreamPart {
  return { type: 'raw', rawValue: { [notice]: text } }
}

export function noticeIn(rawValue: unknown): string | undefined {
  return typeof rawValue === 'object' ? (rawValue as { [notice]?: string } | null)?.[notice] : undefined
}
