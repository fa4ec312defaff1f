import { describe } from 'vitest'
import { agentCases } from './agent/agent-cases.js'
import { describeCases } from './describe-cases.js'

describe('the security cases through the agent', () => describeCases(agentCases))
