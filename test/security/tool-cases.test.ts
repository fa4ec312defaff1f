import { afterAll, describe } from 'vitest'
import { describeCases } from './describe-cases.js'
import { floors } from './floors.js'
import { removeBundle } from './start-child.js'

// That of giant notes is in giant-notes.slow.test.ts.
const { F08: _, ...quick } = floors.tools

describe('the security cases through the tools', () => describeCases(quick))

afterAll(removeBundle)
