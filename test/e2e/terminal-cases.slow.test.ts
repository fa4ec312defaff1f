import { describe } from 'vitest'
import { describeCases } from '../security/describe-cases.js'
import { noPty } from './pty.js'
import { terminalCases } from './terminal-cases.js'

describe.skipIf(noPty !== undefined)(`the security cases at a terminal${noPty ? ` (${noPty})` : ''}`, () =>
  describeCases(terminalCases),
)
