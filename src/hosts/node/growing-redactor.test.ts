import { expect, it } from 'vitest'
import { growingRedactor } from './growing-redactor.js'

it('a secret that becomes known is masked from then on', () => {
  const secrets = ['first-canary']
  const redact = growingRedactor(secrets, {})
  expect(redact('first-canary and second-canary')).toBe('[redacted] and second-canary')
  secrets.push('second-canary')
  expect(redact('first-canary and second-canary')).toBe('[redacted] and [redacted]')
})
