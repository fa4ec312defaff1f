/** More than any piece of work on these few notes needs by far. */
const mostCalls = 20_000

/** A disk that stops a program that would go on for ever. */
export function finiteFiles<Calls extends object>(
  files: Calls,
): { files: Calls; begin(): void; mustHaveEnded(): void } {
  let calls = 0
  const counting = Object.entries(files).map(([name, work]) => [
    name,
    typeof work === 'object'
      ? work
      : (...given: unknown[]) => {
          if (++calls > mostCalls) throw new Error('Too many calls.')
          return work(...given)
        },
  ])
  return {
    files: Object.fromEntries(counting) as Calls,
    begin() {
      calls = 0
    },
    mustHaveEnded() {
      if (calls > mostCalls) throw new Error('a process would go on for ever')
    },
  }
}
