import { afterAll, describe, expect, it } from 'vitest'
import { durabilityCases } from './durability-cases.js'
import { livenessCases } from './liveness-cases.js'

import { parseCases } from './parse-cases.js'
import { pathCases } from './path-cases.js'
import { type CaseChecks, readSecurityCases } from './security-case.js'
import { removeBundle } from './start-child.js'

/** The cases that the vault, the index and change sets must hold; the rest need tools, models or a server. */
const ofThisFloor =
  'P01 P02 P03 P04 P05 P06 P07 P08 P10 P11 P12 F01 F02 F03 F04 F05 F07 F08 L03 D01 D02 D03 D04 D05 D06 D07'.split(' ')

const checks: CaseChecks = { ...pathCases, ...parseCases, ...livenessCases, ...durabilityCases }
const cases = readSecurityCases()

describe('the security cases of this floor', () => {
  it('all stand in the file and all have checks', () => {
    const ids = cases.map(({ id }) => id)
    expect(ofThisFloor.filter((id) => !ids.includes(id) || checks[id] === undefined)).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  for (const example of cases.filter(({ id }) => ofThisFloor.includes(id))) {
    describe(`${example.id} ${example.action}`, () => {
      const own = checks[example.id]?.(example) ?? []
      it('is checked', () => expect(own.length).toBeGreaterThanOrEqual(example.must.length))
      for (const { name, run, timeoutMs } of own) it(name, run, timeoutMs)
    })
  }
})

afterAll(async () => {
  await removeBundle()
  const later = cases.map(({ id }) => id).filter((id) => !ofThisFloor.includes(id))
  process.stdout.write(`Security cases left to later floors: ${later.join(' ')}\n`)
})
