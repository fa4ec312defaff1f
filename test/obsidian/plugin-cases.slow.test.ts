import { afterAll, describe } from 'vitest'
import { describeCases } from '../security/describe-cases.js'
import { pluginCases } from './plugin-cases.js'
import { closeAll } from './plugin-with-model.js'

afterAll(closeAll)

describe('the security cases in Obsidian', () => describeCases(pluginCases))
