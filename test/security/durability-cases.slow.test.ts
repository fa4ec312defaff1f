import { afterAll, describe } from 'vitest'
import { describeCases } from './describe-cases.js'
import { durabilityCases } from './durability-cases.js'
import { removeBundle } from './start-child.js'

describe('the security cases of this floor: durability', () => describeCases(durabilityCases))

afterAll(removeBundle)
