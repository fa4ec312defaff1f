import type { JsonObject } from '../reader-event.js'
import { markerlessJson, neutralise } from './neutralise.js'

/** The dialects we teach a model that has none of its own. */
export type WrittenDialect = 'sentinel' | 'use_tool'

export interface WrittenCall {
  name: string
  arguments: JsonObject
}

/** A call as a model should write it; reading it back gives the same call. */
export function writeCall({ name, arguments: args }: WrittenCall, dialect: WrittenDialect): string {
  if (dialect === 'sentinel') return `<tool_call>${markerlessJson({ name, arguments: args })}</tool_call>`
  return `<use_tool>\n<name>${neutralise(name)}</name>\n<args>\n${markerlessJson(args)}\n</args>\n</use_tool>`
}
