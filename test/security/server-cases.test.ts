import { describe } from 'vitest'
import { describeCases } from './describe-cases.js'
import { serverCases } from './server/server-cases.js'

describe('the security cases of the server', () => describeCases(serverCases))
