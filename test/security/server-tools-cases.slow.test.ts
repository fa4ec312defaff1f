import { describe } from 'vitest'
import { describeCases } from './describe-cases.js'
import { serverToolsCases } from './server-tools-cases.js'

describe('the security cases of other people’s servers', () => describeCases(serverToolsCases))
