import { afterAll, describe } from 'vitest'
import { describeCases } from './describe-cases.js'
import { floors } from './floors.js'
import { removeBundle } from './start-child.js'

describe('the security case of giant notes in the vault', () => describeCases({ F08: floors.vault.F08 }))

describe('the security case of giant notes through the tools', () => describeCases({ F08: floors.tools.F08 }))

afterAll(removeBundle)
