import { describe, expect, it } from 'vitest'
import { type CaseChecks, readSecurityCases } from './security-case.js'

/** Runs the checks of every case of an area, in the order of the file; a case must have as many as it has demands. */
export function describeCases(checks: CaseChecks): void {
  for (const example of readSecurityCases().filter(({ id }) => checks[id] !== undefined)) {
    describe(`${example.id} ${example.action}`, () => {
      const own = checks[example.id](example)
      it('is checked', () => expect(own.length).toBeGreaterThanOrEqual(example.must.length))
      for (const { name, run, timeoutMs } of own) it(name, run, timeoutMs)
    })
  }
}
