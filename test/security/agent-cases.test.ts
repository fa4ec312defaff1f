import { describe } from 'vitest'
import { agentCases } from './agent/agent-cases.js'
import { describeCases } from './describe-cases.js'

// Those two are in agent-cases.slow.test.ts.
const { K01: _, L04: __, ...quick } = agentCases

describe('the security cases through the agent', () => describeCases(quick))
