import { afterAll, describe, expect, it } from 'vitest'
import { describeCases } from './describe-cases.js'
import { caseTable, floors } from './floors.js'
import { livenessCases } from './liveness-cases.js'
import { parseCases } from './parse-cases.js'
import { pathCases } from './path-cases.js'
import { secretCases } from './secret-cases.js'
import { readSecurityCases } from './security-case.js'
import { removeBundle } from './start-child.js'

/** The cases that each layer must check. */
const demanded: Record<keyof typeof floors, string> = {
  vault:
    'P01 P02 P03 P04 P05 P06 P07 P08 P10 P11 P12 F01 F02 F03 F04 F05 F07 F08 D01 D02 D03 D04 D05 D06 D07 D08 D09 D10 D11 D12 L03',
  // Only the part of this case about the tool-call log.
  log: 'K01',
  web: 'S01 S02 S03',
  tools:
    'P01 P02 P03 P04 P05 P06 P07 P08 P09 P10 P11 P12 P13 P14 F01 F02 F03 F04 F05 F06 F07 F08 A01 A03 A04 A06 A07 A08 A09 E02 E03 E04 E05 S01 S02 S03',
  agent: 'I01 I02 I03 I04 K01 L01 L02 L04',
  terminal: 'A05 T01',
  mcp: 'M04',
  page: 'X01 E01 A02 A05 A06 H04 K01',
  plugin: 'D03 D04 E03 A05 X01 E01 K01 L02',
  server: 'H01 H02 H03 H04 H05 H06 A02 K01 L01 L02',
  'server-tools': 'I05 I06 I07 M01 M02 M03',
}

const ids = readSecurityCases().map(({ id }) => id)

describe('the security cases of the vault', () => {
  it.each(Object.keys(demanded) as (keyof typeof floors)[])(
    '%s: all stand in the file and all have checks',
    (floor) => {
      const wanted = demanded[floor].split(' ')
      expect(ids).toEqual([...new Set(ids)])
      expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
      expect(Object.keys(floors[floor]).sort()).toEqual(wanted.sort())
    },
  )

  it('every case has checks', () => {
    const checked = Object.values(demanded).flatMap((wanted) => wanted.split(' '))
    expect([...new Set(checked)].sort()).toEqual([...ids].sort())
  })

  // Those of durability, tools, the agent, the terminal and the server have files of their own, to run beside these.
  // That of giant notes is in giant-notes.slow.test.ts.
  const { F08: _, ...quick } = parseCases
  describeCases({ ...pathCases, ...quick, ...livenessCases, ...secretCases })
})

afterAll(async () => {
  await removeBundle()
  process.stdout.write(`\n${caseTable()}`)
})
