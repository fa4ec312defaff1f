import type { FileAccess } from '../../../src/hosts/node/files/index.js'

/** More than any piece of work on these few notes needs by far. */
const mostCalls = 20_000

/** A disk that stops a program that would go on for ever. */
export function finiteFiles(files: FileAccess): { files: FileAccess; begin(): void; mustHaveEnded(): void } {
  let calls = 0
  const counting = Object.entries(files).map(([name, work]) => [
    name,
    (...given: unknown[]) => {
      if (++calls > mostCalls) throw new Error('Too many calls.')
      return work(...given)
    },
  ])
  return {
    files: Object.fromEntries(counting),
    begin() {
      calls = 0
    },
    mustHaveEnded() {
      if (calls > mostCalls) throw new Error('a process would go on for ever')
    },
  }
}
