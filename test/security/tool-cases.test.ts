import { afterAll, describe } from 'vitest'
import { describeCases } from './describe-cases.js'
import { floors } from './floors.js'
import { removeBundle } from './start-child.js'

describe('the security cases through the tools', () => describeCases(floors.tools))

afterAll(removeBundle)
