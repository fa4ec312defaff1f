import * as z from 'zod'
import { Failure } from '../errors.js'
import type { NotePath } from '../vault/index.js'
import { shortText } from './result-format.js'
import { validationFailure } from './tool-input.js'

const mostNotes = 50

/** The arguments of a tool that takes one note or several. */
export const notesInput = {
  path: z.string().optional(),
  paths: z.array(z.string()).min(1).max(mostNotes).optional().describe('Several notes'),
}

interface GivenNotes {
  path?: string | undefined
  paths?: readonly string[] | undefined
}

/** The notes that a call names, each once. */
export function givenNotes(tool: string, { path, paths = [] }: GivenNotes): string[] {
  const given = new Set([...(path === undefined ? [] : [path]), ...paths])
  if (given.size === 0) throw validationFailure(tool, 'path: required')
  return [...given]
}

/** A note of a list that was left out, and why. */
export const leftOut = z.custom<{ path: string; reason: string }>()

interface FoundNotes {
  found: NotePath[]
  missing: z.output<typeof leftOut>[]
}

/** Finds each note. A note that is not there stops the call only if it is the only one. */
export async function findEach(
  given: readonly string[],
  find: (wanted: string) => Promise<NotePath>,
): Promise<FoundNotes> {
  const result: FoundNotes = { found: [], missing: [] }
  for (const wanted of given) {
    try {
      const path = await find(wanted)
      if (!result.found.includes(path)) result.found.push(path)
    } catch (error) {
      if (!(error instanceof Failure) || given.length === 1) throw error
      result.missing.push({ path: shortText(wanted), reason: error.message })
    }
  }
  return result
}

export const missingRemark = (missing: readonly { reason: string }[] = []): string | undefined =>
  missing.length === 0 ? undefined : missing.map(({ reason }) => reason).join('\n')
