import { afterAll, describe, expect, it } from 'vitest'
import { describeCases } from './describe-cases.js'
import { durabilityCases } from './durability-cases.js'
import { livenessCases } from './liveness-cases.js'
import { parseCases } from './parse-cases.js'
import { pathCases } from './path-cases.js'
import { secretCases } from './secret-cases.js'
import { readSecurityCases } from './security-case.js'
import { removeBundle } from './start-child.js'

/** The cases that the vault, the index and change sets must hold; the rest need tools, models or a server. */
const ofThisFloor = [
  ...['P01', 'P02', 'P03', 'P04', 'P05', 'P06', 'P07', 'P08', 'P10', 'P11', 'P12'],
  ...['F01', 'F02', 'F03', 'F04', 'F05', 'F07', 'F08'],
  ...['D01', 'D02', 'D03', 'D04', 'D05', 'D06', 'D07', 'D08'],
  'L03',
  // Of this one only what the tool-call log must hold.
  'K01',
]

const ids = readSecurityCases().map(({ id }) => id)

describe('the security cases of this floor', () => {
  it('all stand in the file and all have checks', () => {
    const checked = Object.keys({ ...pathCases, ...parseCases, ...livenessCases, ...secretCases, ...durabilityCases })
    expect(ids).toEqual([...new Set(ids)])
    expect(ofThisFloor.filter((id) => !ids.includes(id))).toEqual([])
    expect(checked.sort()).toEqual([...ofThisFloor].sort())
  })

  // Those of durability have a file of their own, to run beside these.
  describeCases({ ...pathCases, ...parseCases, ...livenessCases, ...secretCases })
})

afterAll(async () => {
  await removeBundle()
  const later = ids.filter((id) => !ofThisFloor.includes(id))
  process.stdout.write(`Security cases left to later floors: ${later.join(' ')}\n`)
})
