import { describe } from 'vitest'
import { describeCases } from '../security/describe-cases.js'
import { webCases } from './web-cases.js'

describe('the security cases of loading from the web', () => describeCases(webCases))
