import { afterAll, describe } from 'vitest'
import { describeCases } from '../security/describe-cases.js'
import { pageCases } from './page-cases.js'
import { closeBrowser } from './page-with-model.js'

afterAll(closeBrowser)

describe('the security cases of the page', () => describeCases(pageCases))
