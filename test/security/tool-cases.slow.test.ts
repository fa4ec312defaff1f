import { afterAll, describe } from 'vitest'
import { describeCases } from './describe-cases.js'
import { floors } from './floors.js'
import { removeBundle } from './start-child.js'

const { F08 } = floors.tools

describe('the security case of giant notes through the tools', () => describeCases({ F08 }))

afterAll(removeBundle)
