import * as z from 'zod'
import { visibleJson } from '../../text/index.js'

/** The field of an answer for sentences about it: a limit was lowered, there is more. */
export const remarksField = z.array(z.string()).optional()

export function remarks(...sentences: (string | undefined)[]): { remarks?: string[] } {
  const said = sentences.filter((sentence) => sentence !== undefined)
  return said.length === 0 ? {} : { remarks: said }
}

/** What was found as JSON, as the contracts show it, with nothing hidden in a file's name, and below it what is to be said about it. */
export function jsonText(found: object, said: readonly string[] = []): string {
  return [visibleJson(JSON.stringify(found)), ...said].join('\n')
}
