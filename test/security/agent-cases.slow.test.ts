import { describe } from 'vitest'
import { agentCases } from './agent/agent-cases.js'
import { describeCases } from './describe-cases.js'

const { K01, L04 } = agentCases

describe('the security cases through the agent that take long', () => describeCases({ K01, L04 }))
