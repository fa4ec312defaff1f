import { describe, it } from 'vitest'
import { badFileChecks } from '../security/durability/bad-files.js'

describe('a vault with notes and folders that cannot be read', () => {
  for (const { name, run, timeoutMs } of badFileChecks()) it(name, run, timeoutMs)
})
