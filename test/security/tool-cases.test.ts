import { afterAll, describe } from 'vitest'
import { describeCases } from './describe-cases.js'
import { floors } from './floors.js'
import { removeBundle } from './start-child.js'

// That one is in tool-cases.slow.test.ts.
const { F08: _, ...quick } = floors.tools

describe('the security cases through the tools', () => describeCases(quick))

afterAll(removeBundle)
