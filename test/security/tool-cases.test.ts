import { afterAll, describe } from 'vitest'
import { describeCases } from './describe-cases.js'
import { removeBundle } from './start-child.js'
import { approvalCases } from './tools/approval-cases.js'
import { exfiltrationCases } from './tools/exfiltration-cases.js'
import { networkCases } from './tools/network-cases.js'
import { toolParseCases } from './tools/parse-cases.js'
import { toolPathCases } from './tools/path-cases.js'

describe('the security cases through the tools', () => {
  describeCases({ ...toolPathCases, ...toolParseCases, ...approvalCases, ...exfiltrationCases, ...networkCases })
})

afterAll(removeBundle)
